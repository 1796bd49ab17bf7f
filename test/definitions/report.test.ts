import { expect } from 'chai'
import { load, REPORT, reportProblems, reportWith } from './sql-folder.ts'

const refused: Array<[title: string, found: string, replaced: string, problems: string[]]> = [
  [
    'a report without a text column',
    'shop: { title: Магазин, type: text }',
    'shop: { title: Магазин, type: integer, total: none }',
    ["3: columns: no visible column of type text, expected one for the totals' label"],
  ],
  [
    'a report whose text column is hidden',
    'type: text',
    'type: text, hidden: true',
    [
      "3: columns: no visible column of type text, expected one for the totals' label",
      '6: key: column "shop" is hidden, expected a visible one',
    ],
  ],
  [
    'a key that is no column',
    'key: [shop]',
    'key: [shop, shp]',
    ['6: key: no column "shp", did you mean "shop"?'],
  ],
  [
    'a column without a total',
    ', total: sum(amount)',
    '',
    ['5: columns.amount: no total, expected an aggregate or none'],
  ],
  [
    'a total on the label',
    'type: text',
    'type: text, total: none',
    ["4: columns.shop.total: this column carries the totals' label, expected no total"],
  ],
  [
    'both kinds of totals',
    'select shop',
    'select false as is_total, shop',
    [
      '5: columns.amount.total: the statement selects is_total, expected one kind of totals in a file',
    ],
  ],
  [
    'a total that does more than add up',
    'total: sum(amount)',
    'total: "sum(amount) filter (where day < :todya and now() > x) -- all"',
    [
      '5: columns.amount.total: unknown placeholder :todya, did you mean ":today"?',
      '5: columns.amount.total: now() reads the clock, expected :today, :as_of or :now',
      '5: columns.amount.total: a comment or a semicolon, expected an aggregate alone',
    ],
  ],
  [
    'a total that closes what it did not open',
    'total: sum(amount)',
    'total: sum(amount)) from report; select (1',
    [
      '5: columns.amount.total: ")" closes nothing, expected its opening',
      '5: columns.amount.total: a comment or a semicolon, expected an aggregate alone',
    ],
  ],
  [
    'a fact without a total',
    'key: [shop]',
    'facts: { best: { type: text }, worst: { type: text, total: none } }',
    [
      '6: facts.best: no total, expected an aggregate',
      '6: facts.worst.total: found none, expected an aggregate',
    ],
  ],
  [
    'a fact with a name that is taken',
    'key: [shop]',
    'facts:\n  shop: { type: text, total: max(shop) }\n  as_of: { type: date, total: max(day) }',
    [
      '7: facts.shop: there is a column "shop", expected another name',
      '8: facts.as_of: every summary has a "as_of", expected another name',
    ],
  ],
  [
    'names that PostgreSQL or loaders take for something else',
    'key: [shop]',
    `  Shop: { title: А, type: money, total: none }
  next_day: { title: Б, type: date, total: none }
  pages: { title: В, type: integer, total: none }
  row_count: { title: Г, type: integer, total: none }
  ${'x'.repeat(64)}: { title: Д, type: integer, total: none }`,
    [
      '6: columns.Shop: bad name "Shop", expected a-z, 0-9 and _, at most 63, no digit first',
      '7: columns.next_day: loaders take "next_day" for paging, expected a name other than next..., pages and _end',
      '8: columns.pages: loaders take "pages" for paging, expected a name other than next..., pages and _end',
      '9: columns.row_count: "row_count" belongs to the totals row, expected another name',
      `10: columns.${'x'.repeat(64)}: bad name "${'x'.repeat(64)}", expected a-z, 0-9 and _, at most 63, no digit first`,
    ],
  ],
  [
    'a summary that names no column',
    '{amount}',
    'что-то',
    ['7: summary: names no column, expected at least one figure, such as {row_count}'],
  ],
  [
    'a summary that names what there is not',
    '{amount}',
    '{amuont}',
    ['7: summary: unknown {amuont}, did you mean "amount"?'],
  ],
  [
    'an empty summary that names what there is not',
    'key: [shop]',
    'emptySummary: За {perid} пусто.',
    ['6: emptySummary: unknown {perid}, did you mean "period"?'],
  ],
  [
    'a summary with the label, which has no total',
    '{amount}',
    '{amount} {shop}',
    ['7: summary: {shop} has no total to print, expected a column that has one, or a fact'],
  ],
  [
    'a summary with a hidden column that has no total',
    'type: money, total: sum(amount)',
    'type: money, hidden: true',
    ['7: summary: {amount} has no total to print, expected a column that has one, or a fact'],
  ],
]

describe('report', () => {
  for (const [title, found, replaced, problems] of refused) {
    it(`refuses ${title}`, () => {
      expect(reportProblems(reportWith(found, replaced))).to.deep.equal(problems)
    })
  }

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
      .replace('select shop', 'select (grouping(shop) = 1) as is_total, shop')
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
