/** An organization of the rows that a test names, in a transaction that is rolled back after the test. */
import type { Client } from 'pg'
import { insertOrganization } from '../generated/insert.ts'
import { NO_ROWS } from '../generated/tables.ts'
import type { GeneratedTables } from '../generated/tables.ts'
import type { Question } from '../oracles/oracle.ts'
import { runMetrics, runReport } from '../run.ts'
import { connectAsOwner, ourCatalog } from '../subject.ts'

const ID = 'ffffffff-0000-4000-8000-000000000002'
export const NOVEMBER_21 = {
  today: '2026-11-21',
  now: '2026-11-21T09:30:00Z',
  timeZone: 'Europe/Moscow',
}
export const MAY: Question = { ...NOVEMBER_21, period: { start: '2026-05-01', end: '2026-06-01' } }

/** Inside of a `describe`: makes its hooks. What is asked is `asked`, unless a test says otherwise. */
export function madeForIt(asked: Question) {
  const catalog = ourCatalog()
  let client: Client

  before(async function () {
    this.timeout(30_000)
    client = await connectAsOwner()
  })
  after(() => client.end())
  beforeEach(() => client.query('begin'))
  afterEach(() => client.query('rollback'))

  async function add(tables: Partial<GeneratedTables>): Promise<void> {
    await insertOrganization(client, ID, asked.timeZone, { ...NO_ROWS, ...tables })
  }

  /** Of the organization as it is now. */
  function report(code: string, question = asked) {
    const definition = catalog.reports.get(code)
    if (definition === undefined) throw new Error(`no report ${code}`)
    return runReport(client, definition, ID, question)
  }

  function metrics(area: string, question = asked) {
    const file = catalog.metricsFiles.get(area)
    if (file === undefined) throw new Error(`no metrics of ${area}`)
    return runMetrics(client, file, ID, question)
  }

  async function run(code: string, tables: Partial<GeneratedTables>, question = asked) {
    await add(tables)
    return report(code, question)
  }

  return { run, report, metrics }
}
