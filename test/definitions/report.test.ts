import { expect } from 'chai'
import { load, REPORT, reportProblems, reportWith } from './sql-folder.ts'

describe('report', () => {
  it('hides columns and facts from the response, but not from the summary', async () => {
    const text = reportWith(
      'key: [shop]',
      `  weight: { title: Вес, type: number, hidden: true, total: sum(weight) }
  size: { title: Размер, type: number, hidden: true }
facts:
  best: { type: text, total: "(array_agg(shop order by amount desc))[1]" }
key: [shop]`,
    ).replace('{amount}', '{amount}, {weight} кг, {best}')
    const { reports } = await load({ 'reports/shop/sales.sql': text })
    const report = reports.get('sales')
    expect(report?.columns.map(({ key }) => key)).to.deep.equal(['shop', 'amount'])
    expect([...(report?.summaryColumns ?? [])]).to.deep.equal([
      ['shop', 'text'],
      ['amount', 'money'],
      ['weight', 'number'],
      ['best', 'text'],
    ])
  })

  it('does not change a statement that returns its totals row itself', async () => {
    const text = reportWith(', total: sum(amount)', '')
      .replace('select shop', 'select (grouping(shop) = 1) as IS_TOTAL, shop')
      .replace('key: [shop]', '  weight: { title: Вес, type: number, hidden: true }\nkey: [shop]')
      .replace('{amount}', '{amount} {weight} {shop}')
      .replace('order by shop', 'order by is_total, shop; -- done')
    const { reports } = await load({ 'reports/shop/sales.sql': text })
    const report = reports.get('sales')
    expect(report?.statement.text('uuid')).to.match(
      /^select \(grouping[^]*order by is_total, shop$/,
    )
    expect([...(report?.summaryColumns.keys() ?? [])]).to.deep.equal(['shop', 'amount', 'weight'])
  })

  it('uses the empty summary if there are no rows', async () => {
    const totals = {
      fields: new Map([['amount', '0']]),
      rowCount: 0,
      period: { start: '2026-07-01', end: '2026-08-01' },
      today: '2026-11-21',
    }
    const summarize = async (text: string) =>
      (await load({ 'reports/shop/sales.sql': text })).reports.get('sales')?.summarize(totals)
    expect(await summarize(REPORT)).to.equal('За июль 2026 года данных нет.')
    expect(
      await summarize(reportWith('key: [shop]', 'key: [shop]\nemptySummary: Продаж не было.')),
    ).to.equal('Продаж не было.')
  })

  it('allows a column with the name of a built-in, which then hides it', async () => {
    const text = reportWith('shop: {', 'period: {').replace('[shop]', '[period]')
    expect(await reportProblems(text)).to.deep.equal([])
    expect(await reportProblems(text.replace('{amount}', ''))).to.have.lengthOf(1)
  })

  it('binds placeholders in totals together with those of the statement', async () => {
    const text = reportWith(
      'total: sum(amount)',
      'total: "round(sum(amount) / (:period_end - :period_start))"',
    )
    const { reports } = await load({ 'reports/shop/sales.sql': text })
    const report = reports.get('sales')
    expect(report?.statement.text('uuid')).to.contain(
      'round(sum(amount) / (($3::date) - ($2::date)))',
    )
  })
})
