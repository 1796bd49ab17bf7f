import { expect } from 'chai'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import { lineOfName, lineOfPosition } from '../../src/definitions/place.ts'
import { load, METRICS } from './sql-folder.ts'

const REPORT = `/*---
title: Продажи
columns:
  shop: { title: Магазин, type: text }
  amount:
    title: Сумма
    type: money
    total: sum(amount)
  note: { title: Заметка, type: text, total: none }
facts:
  best: { type: text, total: max(shop) }
summary: За {period} продано на {amount}, лучше всех {best}.
---*/
-- Tuned
select shop, amount,
    '🙂' as note
from sales
where organization_id = :organization_id
  and day >= :period_start_at
order by shop -- the last line
`

const OWN_TOTALS = REPORT.replace('select shop', 'select is_total, shop').replaceAll(
  /, total: [^ ]+|\n {4}total: .*/g,
  '',
)

describe('a place in a statement', () => {
  const reportOf = (text: string): ReportDefinition =>
    load({ 'reports/shop/sales.sql': text }).reports.get('sales')!

  /** The line of the first place of a text in the statement. */
  function lineOf(report: ReportDefinition, text: string): number {
    const whole = report.statement.text('uuid')
    const at = whole.indexOf(text)
    if (at < 0) throw new Error(`the statement has no ${text}`)
    return lineOfPosition(report, 'uuid', Array.from(whole.slice(0, at)).length + 1)
  }

  it('is on the line of the file on which it was written, totals around it or not', () => {
    for (const [text, last] of [
      [REPORT, 20],
      [OWN_TOTALS, 19],
    ] as const) {
      const report = reportOf(text)
      expect(lineOf(report, 'select ')).to.equal(last - 5)
      expect(lineOf(report, 'from sales')).to.equal(last - 3)
      expect(lineOf(report, 'and day')).to.equal(last - 1)
      expect(lineOf(report, 'order by')).to.equal(last)
    }
  })

  it('in a total is on the line of that total', () => {
    const report = reportOf(REPORT)
    expect(lineOf(report, 'coalesce(sum')).to.equal(8)
    expect(lineOf(report, 'max(shop)')).to.equal(11)
    expect(lineOf(report, 'null as "note"')).to.equal(9)
  })

  it('in the names of columns is on the line of the column', () => {
    const report = reportOf(REPORT)
    expect(lineOf(report, '"amount",\n    "note"')).to.equal(8)
    expect(lineOf(report, '"note",\n    null')).to.equal(9)
  })

  it('has a name that stands on a line of the front matter', () => {
    const report = reportOf(REPORT)
    expect(['shop', 'amount', 'best', 'none'].map(name => lineOfName(report, name))).to.deep.equal([
      4,
      5,
      11,
      undefined,
    ])
    const { metricsFiles } = load({ 'metrics/sales.sql': METRICS })
    expect(lineOfName(metricsFiles.get('sales')!, 'sold')).to.equal(3)
  })
})
