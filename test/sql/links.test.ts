// A link of a column leads to rows whose sum is the figure of its row.
import { expect } from 'chai'
import type { Client } from 'pg'
import { runReport, type FieldRow } from './run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog, questions } from './subject.ts'

/** The figure of a row, and the column there whose total it is. */
const FIGURES: Readonly<Record<string, readonly [here: string, there: string]>> = {
  'income_by_category.category': ['amount', 'income'],
  'receivables.counterparty': ['total', 'receivable'],
  'payables.counterparty': ['total', 'payable'],
}

describe('links of our reports', function () {
  this.timeout(120_000)
  const { reports } = ourCatalog()
  const linked = [...reports.values()].flatMap(report =>
    Object.entries(report.source.matter.columns).flatMap(([key, { link }]) =>
      link === undefined ? [] : [{ report, key, link }],
    ),
  )
  let client: Client

  before(async () => {
    client = await connectAsReports()
  })
  after(() => client?.end())

  /** Code and parameters that a row leads to; undefined if to nothing. */
  function followed(link: string, row: FieldRow, from: string, to: string) {
    const all: FieldRow = { ...row, from, to }
    const names = [...link.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    if (names.some(name => (all[name] ?? '0') === '0')) return undefined
    const [path = '', query] = link
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(all[name]!))
      .split('?')
    const { from: _from, to: _to, ...values } = Object.fromEntries(new URLSearchParams(query))
    return { code: path.replace('/reports/', ''), parameters: new Map(Object.entries(values)) }
  }

  it('are all followed', () => {
    expect(linked.map(({ report, key }) => `${report.code}.${key}`).toSorted()).to.deep.equal(
      Object.keys(FIGURES).toSorted(),
    )
  })

  for (const { report, key, link } of linked)
    it(`lead from each row of ${report.code} to its figure`, async () => {
      const [here, there] = FIGURES[`${report.code}.${key}`]!
      let count = 0
      for (const { id, timeZone } of DEMO_ORGANIZATIONS.slice(0, 3))
        for (const { name, question } of questions(Date.now, timeZone)) {
          if (!['this year', 'a month', 'all years'].includes(name)) continue
          const { rows } = await runReport(client, report, id, question)
          const { start, end } = question.period
          for (const row of rows) {
            const target = followed(link, row, start, end)
            if (target === undefined) continue
            count += 1
            const asked = { ...question, parameters: target.parameters }
            const { totals } = await runReport(client, reports.get(target.code)!, id, asked)
            expect(totals[there], `${name}: ${JSON.stringify(row)}`).to.equal(row[here])
          }
        }
      expect(count).to.be.above(10)
    })
})
