// Definitions against their naive versions, on the large organization.
import { strict as assert } from 'node:assert'
import { Client } from 'pg'
import type { Definition } from '../../../src/definitions/definition.ts'
import { STATEMENT_SETTINGS } from '../../../src/serve/replica/session-settings.ts'
import { questions } from '../../sql/subject.ts'
import { sessionOptions } from '../../harness/session-options.ts'
import type { Bench, Row } from '../bench.ts'
import { interleaved } from '../rounds.ts'
import { ratioRow } from '../rows.ts'
import { median } from '../statistics.ts'
import { catalog, ID_TYPE } from '../subject.ts'
import { naiveMetrics, naiveReport } from './naive-definitions.ts'
import { makeNaiveSchema } from './naive-schema.ts'

/** A round repeats the statement for this long, so that a short one has more than one sample. */
const ROUND_MS = 100
/** Time to replay gigabytes of copies. */
const CAUGHT_UP_MS = 120_000

const SETTINGS = {
  ...STATEMENT_SETTINGS,
  // why: under concurrent load a statement has one process; a parallel worker would hide half of a slow one's time
  max_parallel_workers_per_gather: '0',
  statement_timeout: '120s',
}

export async function tunedAgainstNaive(bench: Bench): Promise<Row[]> {
  const { cluster, urls } = bench.product
  bench.progress('sql: making the naive schema')
  const owner = await connect(bench, urls.primary, 'public')
  await makeNaiveSchema(owner, 'naive')
  await cluster.replicaCaughtUp(CAUGHT_UP_MS)
  const on = {
    tuned: await connect(bench, urls.reports, 'public'),
    naive: await connect(bench, urls.reports, 'naive'),
  }
  const { reports, metricsFiles } = catalog
  const pairs = await Promise.all([
    ...[...reports.values()].map(async tuned => ({ tuned, naive: await naiveReport(tuned) })),
    ...[...metricsFiles.values()].map(async tuned => ({ tuned, naive: await naiveMetrics(tuned) })),
  ])
  const rows: Row[] = []
  for (const { tuned, naive } of pairs) {
    if (naive !== undefined) rows.push(await compare(bench, tuned, naive, on))
  }
  await owner.query('drop schema naive cascade')
  return rows
}

async function compare(
  bench: Bench,
  tuned: Definition,
  naive: Definition,
  on: Readonly<Record<'tuned' | 'naive', Client>>,
): Promise<Row> {
  const { name } = tuned
  const askTuned = queryOf(bench, on.tuned, tuned)
  const askNaive = queryOf(bench, on.naive, naive)
  assert.deepEqual(await askNaive(), await askTuned(), `naive ${name} has other rows`)
  const measured = await interleaved(bench, `sql: ${name}`, 3, {
    tuned: () => timeOf(askTuned),
    naive: () => timeOf(askNaive),
  })
  return ratioRow(measured, {
    name: `tuned ${name} against naive`,
    ours: 'tuned',
    baseline: 'naive',
    of: ({ ms }) => 1 / ms,
    target: { atLeast: 10 },
    note: "the naive tables have the product's primary keys and an index on organization_id",
  })
}

/** Prepares it for this year and one organization; each execution is planned for these values. */
function queryOf(
  { product }: Bench,
  client: Client,
  { name, statement }: Definition,
): () => Promise<unknown[]> {
  const { id, timeZone } = product.named.large
  const thisYear = questions(Date.now, timeZone)[0]!
  const text = statement.text(ID_TYPE)
  const values = [...statement.values({ organizationId: id, ...thisYear.question })]
  const types = { getTypeParser: () => (value: string) => value }
  return async () => {
    const { rows } = await client.query<unknown[]>({ name, text, values, rowMode: 'array', types })
    return rows
  }
}

/** @returns the median. */
async function timeOf(query: () => Promise<unknown>): Promise<{ readonly ms: number }> {
  const times: number[] = []
  const start = performance.now()
  do {
    const before = performance.now()
    await query()
    times.push(performance.now() - before)
  } while (performance.now() - start < ROUND_MS)
  return { ms: median(times) }
}

/** Opens a session with the statement settings of the gateway's reports. */
async function connect(bench: Bench, connectionString: string, schema: string): Promise<Client> {
  const options = sessionOptions({ ...SETTINGS, search_path: schema })
  const client = new Client({ connectionString, options })
  await client.connect()
  bench.onEnd(() => client.end())
  return client
}
