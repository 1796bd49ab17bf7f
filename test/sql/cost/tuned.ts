/**
 * Measures each definition on all of the demo's data, with the recommended indexes and without, and prints its name and
 * its comment `Tuned`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from 'pg'
import type { Definition } from '../../../src/definitions/definition.ts'
import { startCluster, type Cluster } from '../../../src/demo/cluster.ts'
import { listenForInterrupts } from '../../../src/demo/interrupts.ts'
import { seedDemo } from '../../../src/demo/seed.ts'
import type { Plan } from '../../../src/author/plans/plan.ts'
import { explain } from './explain.ts'
import { tunedComment, type Costs } from './tuned-comment.ts'
import { connected, DEMO_ORGANIZATIONS, ourCatalog, questions } from '../subject.ts'

const CHECKOUT = fileURLToPath(new URL('../../../..', import.meta.url))
const PRODUCT = join(CHECKOUT, 'sql/product')
const RUNS = 7
const MEDIAN = DEMO_ORGANIZATIONS[0]
const LARGE = DEMO_ORGANIZATIONS[3]

/** A code, `metrics/area` or an area; all by default. */
function definitionsNamed(wanted: string | undefined): Definition[] {
  const { reports, metricsFiles } = ourCatalog()
  const all = [...reports.values(), ...metricsFiles.values()]
  const named = all.filter(({ name }) => name === wanted || name === `metrics/${wanted}`)
  if (wanted === undefined) return all
  if (named.length > 0) return named
  throw new Error(`REPORT is ${wanted}, expected one of ${all.map(({ name }) => name).join(', ')}`)
}

function recommendedIndexes(): string[] {
  const sql = readFileSync(join(PRODUCT, 'recommended-indexes.sql'), 'utf8')
  return [...sql.matchAll(/^create index (\w+)/gm)].map(([, name]) => name ?? '')
}

/** The fastest of several executions; the first warms caches. */
async function best(
  client: Client,
  definition: Definition,
  { id, timeZone }: (typeof DEMO_ORGANIZATIONS)[number],
): Promise<Plan> {
  const thisYear = questions(Date.now, timeZone)[0]!.question
  const runs: Plan[] = []
  for (let run = 0; run <= RUNS; run++) runs.push(await explain(client, definition, id, thisYear))
  return runs.reduce((fastest, run) => (run.ms < fastest.ms ? run : fastest))
}

async function costs(client: Client, definition: Definition): Promise<Costs> {
  return {
    median: await best(client, definition, MEDIAN),
    large: await best(client, definition, LARGE),
  }
}

async function costsWithout(client: Client, definition: Definition, indexes: readonly string[]) {
  await client.query('begin')
  await client.query(`drop index ${indexes.join(', ')}`)
  const found = await costs(client, definition)
  await client.query('rollback')
  return found
}

/** Prints errors and sets the exit code. The cluster stops afterwards; an interrupt aborts the signal. */
async function withSeededDemo(
  use: (cluster: Cluster, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const interrupts = listenForInterrupts()
  const { first: signal } = interrupts
  const say = (text: string): void => void process.stderr.write(`${text}\n`)
  try {
    say('Starting a PostgreSQL primary and its hot standby ...')
    const directory = join(CHECKOUT, '.demo', 'tuned')
    const cluster = await startCluster({ directory, database: 'svodka', say, signal })
    try {
      await seedDemo(cluster, { directory: PRODUCT, say, signal })
      await use(cluster, signal)
    } finally {
      say('Stopping the standby and the primary ...')
      await cluster.stop()
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  } finally {
    interrupts.close()
  }
}

await withSeededDemo(async (cluster, signal) => {
  const definitions = definitionsNamed(process.env['REPORT'] || undefined)
  const indexes = recommendedIndexes()
  const client = await connected(cluster.primaryUrl)
  signal.addEventListener('abort', () => void client.end())
  const date = new Date().toISOString().slice(0, 10)
  for (const definition of definitions) {
    signal.throwIfAborted()
    const withIndexes = await costs(client, definition)
    const without = await costsWithout(client, definition, indexes)
    process.stdout.write(
      `${definition.name}\n${tunedComment(date, withIndexes, without, indexes)}\n`,
    )
  }
  await client.end()
})
