// Every definition of ours against its oracle, over the demo's organizations.
import type { Client } from 'pg'
import { expectSameMetrics, expectSameReport } from '../compare.ts'
import { oraclesOf } from './all.ts'
import type { OrganizationRows } from './oracle.ts'
import { rawRows, runMetrics, runReport } from '../run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog, questions } from '../subject.ts'

const catalog = ourCatalog()
const oracles = await oraclesOf(catalog)

describe('the catalogue', function () {
  this.timeout(120_000)
  let client: Client

  before(async () => {
    client = await connectAsReports()
  })

  after(() => client.end())

  for (const organization of DEMO_ORGANIZATIONS) {
    describe(`for ${organization.name}`, () => {
      let rows: OrganizationRows

      before(async () => {
        rows = await rawRows(client, organization.id)
      })

      for (const { name, question } of questions(Date.now, organization.timeZone)) {
        for (const [code, oracle] of oracles.reports) {
          it(`${code} agrees with its oracle over ${name}`, async () => {
            const report = catalog.reports.get(code)
            if (report === undefined) throw new Error(`no report ${code}`)
            const answer = await runReport(client, report, organization.id, question)
            expectSameReport(report, answer, oracle(rows, question))
          })
        }
        for (const [area, oracle] of oracles.metrics) {
          it(`metrics/${area} agrees with its oracle over ${name}`, async () => {
            const file = catalog.metricsFiles.get(area)
            if (file === undefined) throw new Error(`no metrics of ${area}`)
            const answer = await runMetrics(client, file, organization.id, question)
            expectSameMetrics(file.metrics, answer, oracle(rows, question))
          })
        }
      }
    })
  }
})
