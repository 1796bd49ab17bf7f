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
      const places = ['select ', 'from sales', 'and day', 'order by']
      const lines = places.map(place => lineOf(reportOf(text), place))
      expect(lines).to.deep.equal([last - 5, last - 3, last - 1, last])
    }
  })

  it('in a total or the name of a column is on the line of that', () => {
    const report = reportOf(REPORT)
    const places = ['coalesce(sum', 'max(shop)', 'null as "note"', '"amount",\n    "note"']
    expect(places.map(place => lineOf(report, place))).to.deep.equal([8, 11, 9, 8])
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
