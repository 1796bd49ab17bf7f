// The lower bound of a cold report's time: pgbench prepares and executes the statement, and discards the rows.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SESSION_SETTINGS } from '../../src/serve/database/session-settings.ts'
import { sessionOptions } from '../harness/session-options.ts'
import type { Bench, Row } from './bench.ts'
import { CORES, pinned, run } from './commands.ts'
import { rowsOfEach, type NamedGateway } from './contenders.ts'
import type { BenchOrganization } from './product.ts'
import { boundOf, lookupOf, type Bound, type LoadRequest } from './requests.ts'
import { interleaved } from './rounds.ts'
import { ratioRow } from './rows.ts'
import { median } from './statistics.ts'
import { loadOf } from './wrk.ts'

interface Timing {
  readonly name: string
  readonly requests: readonly LoadRequest[]
  readonly from: string
  /** Of a round of a gateway. */
  readonly seconds: number
  /** Executions of a round of pgbench. */
  readonly count: number
}

/** Time of one request after the other, against the same statement without a program. */
export async function againstPgbench(
  bench: Bench,
  gateways: readonly NamedGateway[],
  timing: Timing,
): Promise<Row[]> {
  const { name, requests, from, seconds, count } = timing
  const contenders: Record<string, () => Promise<{ readonly ms: number }>> = {
    pgbench: pgbenchOf(bench, bench.product.large, from, count),
  }
  for (const { name, gateway } of gateways) {
    const load = await loadOf(bench, gateway, requests, { seconds, connections: 1 })
    contenders[name] = async () => ({ ms: (await load()).p50Ms })
  }
  const rounds = await interleaved(bench, `${name}, pgbench`, contenders)
  return rowsOfEach(gateways, ({ name: ours }) => [
    ratioRow(rounds, {
      name: `${name}: time against pgbench`,
      ours,
      baseline: 'pgbench',
      of: ({ ms }) => ms,
      target: { atMost: 1.2 },
    }),
  ])
}

/** @returns a function that measures the key look-up and the register since that day, one after the other. */
export function pgbenchOf(
  bench: Bench,
  organization: BenchOrganization,
  from: string,
  count: number,
): () => Promise<{ readonly ms: number }> {
  const { reports, keys } = bench.product.urls
  const register = boundOf('operations', organization, from)
  const lookUp = timeOf(bench, lookupOf(organization.keys[0]), keys, {}, 100)
  const execute = timeOf(bench, register, reports, SESSION_SETTINGS, count)
  return async () => ({ ms: (await lookUp()) + (await execute()) })
}

/** @returns a function that measures the median time in milliseconds. */
function timeOf(
  bench: Bench,
  { text, values }: Bound,
  url: string,
  settings: Readonly<Record<string, string>>,
  count: number,
): () => Promise<number> {
  const folder = join(bench.folder, `pgbench-${randomUUID()}`)
  mkdirSync(folder)
  const script = join(folder, 'script.sql')
  writeFileSync(script, scriptOf(text))
  const command = [
    'pgbench',
    '--no-vacuum',
    '--protocol=prepared',
    `--file=${script}`,
    `--transactions=${count}`,
    ...values.map((value, at) => `--define=v${at + 1}=${value}`),
    '--log',
    `--log-prefix=${join(folder, 'log')}`,
    url,
  ]
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, PGSSLMODE: 'disable', PGOPTIONS: sessionOptions(settings) }
  return async () => {
    await run(pinned(CORES.load, command), { env, signal: bench.signal })
    const log = readdirSync(folder).find(name => name.startsWith('log')) ?? ''
    const ms = medianMs(readFileSync(join(folder, log), 'utf8'))
    rmSync(join(folder, log))
    return ms
  }
}

/**
 * pgbench turns each `:name` into another parameter. So only the first `$1` becomes `:v1` and later ones stay `$1`:
 * then pgbench prepares exactly this text.
 * @throws Error if pgbench would read the text differently
 */
export function scriptOf(text: string): string {
  const variable = /(?<!:):[A-Za-z_]\w*/.exec(text)
  if (variable) throw new Error(`pgbench would take ${variable[0]} for a variable`)
  let last = 0
  const script = text.replaceAll(/\$(\d+)/g, (parameter, digits: string) => {
    const n = Number(digits)
    if (n <= last) return parameter
    if (n > last + 1) throw new Error(`${parameter} comes before $${last + 1}`)
    last = n
    return `:v${n}`
  })
  return `${script}\n;\n`
}

/** Lines of the log are `client transaction microseconds ...`. */
export function medianMs(log: string): number {
  const lines = log.trimEnd().split('\n')
  return median(lines.map(line => Number(line.split(' ')[2]) / 1000))
}
