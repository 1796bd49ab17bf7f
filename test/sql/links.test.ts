// A link of a column leads to rows whose sum is the figure of its row.
import { expect } from 'chai'
import type { Client } from 'pg'
import { addDays } from './oracles/calendar.ts'
import type { Question } from './oracles/oracle.ts'
import { runReport, type FieldRow } from './run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog, questions } from './subject.ts'

/** The figure of a row, and the column there whose total it is. */
const FIGURES: Readonly<Record<string, readonly [here: string, there: string]>> = {
  'cash_flow_by_month.month_name': ['received', 'received'],
  'deals_by_manager.created': ['created', 'row_count'],
  'expenses_by_category.category': ['amount', 'expense'],
  'income_by_category.category': ['amount', 'income'],
  'receivables.counterparty': ['total', 'receivable'],
  'payables.counterparty': ['total', 'payable'],
  'profit_by_project.income': ['income', 'income'],
  'profit_loss.income': ['income', 'amount'],
  'tasks_by_month.month_name': ['done', 'done'],
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

  /** Code, period and parameters that a row leads to; undefined if to nothing. */
  function followed(link: string, row: FieldRow, { start, end }: Question['period']) {
    const month = row['month'] ? `${row['month']}-01` : null
    const all: FieldRow = { ...row, from: start, to: end, 'month.from': month, 'month.to': month }
    const names = [...link.matchAll(/\{([\w.]+)\}/g)].map(([, name = '']) => name)
    if (names.some(name => all[name] === null)) return undefined
    const [path = '', query] = link
      .replaceAll(/\{([\w.]+)\}/g, (_, name: string) => encodeURIComponent(all[name]!))
      .split('?')
    const { from, to: _to, ...values } = Object.fromEntries(new URLSearchParams(query))
    const ofMonth = month !== null && { start: month, end: addDays(month, 32).slice(0, 8) + '01' }
    expect(from).to.equal(ofMonth ? month : start)
    const parameters = new Map(Object.entries(values))
    return { code: path.replace('/reports/', ''), period: ofMonth || { start, end }, parameters }
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
          for (const row of rows) {
            const target = followed(link, row, question.period)
            if (target === undefined) continue
            count += 1
            const { code, ...selection } = target
            const asked = { ...question, ...selection }
            const { totals } = await runReport(client, reports.get(code)!, id, asked)
            expect(totals[there], `${name}: ${JSON.stringify(row)}`).to.equal(row[here])
          }
        }
      expect(count).to.be.above(10)
    })
})
