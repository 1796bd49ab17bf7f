import { expect } from 'chai'
import { load, REPORT, reportProblems, reportWith } from './sql-folder.ts'

describe('report', () => {
  it('hides columns and facts from the answer, and lets the summary have them', () => {
    const text = reportWith(
      'key: [shop]',
      `  weight: { title: Вес, type: number, hidden: true, total: sum(weight) }
  size: { title: Размер, type: number, hidden: true }
facts:
  best: { type: text, total: "(array_agg(shop order by amount desc))[1]" }`,
    ).replace('{amount}', '{amount}, {weight} кг, {best}')
    const report = load({ 'reports/shop/sales.sql': text }).reports.get('sales')
    expect(report?.columns.map(({ key }) => key)).to.deep.equal(['shop', 'amount'])
    expect([...(report?.summaryColumns ?? [])]).to.deep.equal([
      ['shop', 'text'],
      ['amount', 'money'],
      ['weight', 'number'],
      ['best', 'text'],
    ])
  })

  it('takes a statement that brings its own totals as it is', () => {
    const text = reportWith(', total: sum(amount)', '')
      .replace('select shop', 'select (grouping(shop) = 1) as IS_TOTAL, shop')
      .replace('key: [shop]', '  weight: { title: Вес, type: number, hidden: true }')
      .replace('{amount}', '{amount} {weight} {shop}')
      .replace('order by shop', 'order by is_total, shop; -- done')
    const report = load({ 'reports/shop/sales.sql': text }).reports.get('sales')
    expect(report?.statement.text('uuid')).to.match(
      /^select \(grouping[^]*order by is_total, shop$/,
    )
    expect([...(report?.summaryColumns.keys() ?? [])]).to.deep.equal(['shop', 'amount', 'weight'])
  })

  it('says another sentence where there are no rows', () => {
    const totals = {
      fields: new Map([['amount', '0']]),
      rowCount: 0,
      period: { start: '2026-07-01', end: '2026-08-01' },
      today: '2026-11-21',
    }
    const summarize = (text: string) =>
      load({ 'reports/shop/sales.sql': text }).reports.get('sales')?.summarize(totals)
    expect(summarize(REPORT)).to.equal('За июль 2026 года данных нет.')
    expect(summarize(reportWith('key: [shop]', 'emptySummary: Продаж не было.'))).to.equal(
      'Продаж не было.',
    )
  })

  it("lets a column be called like a summary's own argument, which then wins", () => {
    const text = reportWith('shop: {', 'period: {').replace('[shop]', '[period]')
    expect(reportProblems(text)).to.deep.equal([])
    expect(reportProblems(text.replace('{amount}', ''))).to.have.lengthOf(1)
  })

  it('binds placeholders in totals with those of the statement', () => {
    const text = reportWith(
      'total: sum(amount)',
      'total: "round(sum(amount) / (:period_end - :period_start))"',
    )
    const report = load({ 'reports/shop/sales.sql': text }).reports.get('sales')
    expect(report?.statement.text('uuid')).to.contain(
      'round(sum(amount) / (($3::date) - ($2::date)))',
    )
  })
})
