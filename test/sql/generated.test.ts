// Every definition of ours against its oracle, over small organizations that are made of edges.
import type { Client } from 'pg'
import type { Catalog } from '../../src/definitions/definition.ts'
import { expectSameMetrics, expectSameReport } from './compare.ts'
import { generateOrganization, insertOrganization } from './generated-organization.ts'
import { oraclesOf } from './oracles/all.ts'
import type { Oracles } from './oracles/all.ts'
import { addDays, localDate, microseconds } from './oracles/calendar.ts'
import type { Question } from './oracles/oracle.ts'
import { rawRows, runMetrics, runReport } from './run.ts'
import { connectAsOwner, ourCatalog } from './subject.ts'

const ORGANIZATIONS = Number(process.env['GENERATED_ORGANIZATIONS'] ?? 120)
const FIRST_SEED = Number(process.env['GENERATED_SEED'] ?? 1)
const ID = 'ffffffff-0000-4000-8000-000000000001'
const ZONES = ['Europe/Moscow', 'Asia/Vladivostok', 'America/St_Johns', 'Europe/Berlin'] as const
const NOWS = ['2026-11-21T09:30:00.123Z', '2026-12-31T20:59:59.999Z', '2028-02-29T10:00:00.000Z']

/** Of the past, the present and the future, long and short; and on the days when Berlin changes its clock. */
function questionOf(seed: number): Question {
  const timeZone = ZONES[seed % ZONES.length] ?? ZONES[0]
  const now = NOWS[Math.floor(seed / 4) % NOWS.length] ?? NOWS[0] ?? ''
  const today = localDate(microseconds(now), timeZone)
  const year = Number(today.slice(0, 4))
  const periods = [
    { start: `${year}-01-01`, end: `${year + 1}-01-01` },
    { start: `${year - 1}-01-01`, end: `${year}-01-01` },
    { start: '2024-02-29', end: '2024-03-01' },
    { start: today, end: addDays(today, 1) },
    { start: addDays(today, -10), end: addDays(today, 20) },
    { start: addDays(today, 1), end: addDays(today, 40) },
    { start: '2026-03-29', end: '2026-10-26' },
    { start: `${year}-02-10`, end: `${year}-04-03` },
  ]
  return {
    period: periods[Math.floor(seed / 12) % periods.length] ?? periods[0]!,
    today,
    now,
    timeZone,
  }
}

describe('the catalogue, over generated organizations', function () {
  this.timeout(120_000)
  let catalog: Catalog
  let oracles: Oracles
  let client: Client

  before(async () => {
    catalog = ourCatalog()
    oracles = await oraclesOf(catalog)
    client = await connectAsOwner()
  })

  after(() => client.end())

  it(`agrees with its oracles for ${ORGANIZATIONS} of them`, async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + ORGANIZATIONS; seed++) {
      const question = questionOf(seed)
      await client.query('begin')
      try {
        const tables = generateOrganization(seed, question)
        await insertOrganization(client, ID, question.timeZone, tables)
        const rows = await rawRows(client, ID)
        for (const [code, oracle] of oracles.reports) {
          const report = catalog.reports.get(code)
          if (report === undefined) throw new Error(`no report ${code}`)
          expectSameReport(
            report,
            await runReport(client, report, ID, question),
            oracle(rows, question),
          )
        }
        for (const [area, oracle] of oracles.metrics) {
          const file = catalog.metricsFiles.get(area)
          if (file === undefined) throw new Error(`no metrics of ${area}`)
          expectSameMetrics(
            file.metrics,
            await runMetrics(client, file, ID, question),
            oracle(rows, question),
          )
        }
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error)
        throw new Error(`seed ${seed}, ${JSON.stringify(question)}: ${said}`, { cause: error })
      } finally {
        await client.query('rollback')
      }
    }
  })
})
