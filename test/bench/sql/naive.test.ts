// What the benchmark compares gives one answer: naive and tuned definitions agree to the last kopeck and in order.
import { expect } from 'chai'
import type { Client } from 'pg'
import { naiveFiles, naiveMetrics, naiveReport } from './naive-definitions.ts'
import { runMetrics, runReport } from '../../sql/run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog, questions } from '../../sql/subject.ts'

/** A tenth of the demo's data is what these organizations have here; the large one would take most of the time. */
const ASKED = DEMO_ORGANIZATIONS.filter(({ name }) => name !== 'the large one')
/** The benchmark asks about this year; `make prove` sets what asks for the other period too. */
const PERIODS = new Set(
  process.env['GENERATED_ORGANIZATIONS'] === undefined ? ['this year'] : ['this year', 'a month'],
)

describe('a naive definition', function () {
  this.timeout(60_000)
  const tuned = ourCatalog()
  let client: Client

  before(async () => {
    client = await connectAsReports()
  })

  after(() => client.end())

  it('belongs to a definition', () => {
    const all = [...tuned.reports.values(), ...tuned.metricsFiles.values()]
    const files = all.map(({ file }) => file)
    const naive = naiveFiles().map(name => `sql/${name}`)
    expect(naive).to.include('sql/reports/finance/profit_loss.sql')
    for (const file of naive) expect(files).to.include(file)
  })

  for (const { name: organization, id, timeZone } of ASKED) {
    const asked = questions(Date.now, timeZone).filter(({ name }) => PERIODS.has(name))
    for (const { name: period, question } of asked) {
      for (const [code, report] of tuned.reports) {
        const naive = naiveReport(report)
        if (naive === undefined) continue
        it(`of ${code} has the rows and totals of ours, for ${organization} over ${period}`, async () => {
          const answer = await runReport(client, naive, id, question)
          expect(answer).to.deep.equal(await runReport(client, report, id, question))
        })
      }
      for (const [area, file] of tuned.metricsFiles) {
        const naive = naiveMetrics(file)
        if (naive === undefined) continue
        it(`of metrics/${area} has the figures of ours, for ${organization} over ${period}`, async () => {
          const answer = await runMetrics(client, naive, id, question)
          expect(answer).to.deep.equal(await runMetrics(client, file, id, question))
        })
      }
    }
  }
})
