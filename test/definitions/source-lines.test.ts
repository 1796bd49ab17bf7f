import { expect } from 'chai'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import { lineOfName, lineOfPosition } from '../../src/definitions/source-lines.ts'
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
key: [shop]
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

describe('source lines', () => {
  const reportOf = async (text: string): Promise<ReportDefinition> =>
    (await load({ 'reports/shop/sales.sql': text })).reports.get('sales')!

  /** The line of the first occurrence of a text in the statement. */
  function lineOf(report: ReportDefinition, text: string): number {
    const whole = report.statement.text('uuid')
    const at = whole.indexOf(text)
    if (at < 0) throw new Error(`the statement has no ${text}`)
    return lineOfPosition(report, 'uuid', Array.from(whole.slice(0, at)).length + 1)
  }

  it('are those of the file, with added totals or without', async () => {
    for (const [text, last] of [
      [REPORT, 21],
      [OWN_TOTALS, 20],
      [REPORT.replace('Tuned', '🙂 Ё').replaceAll('\n', '\r\n'), 21],
    ] as const) {
      const texts = ['select ', 'from sales', 'and day', 'order by']
      const report = await reportOf(text)
      const lines = texts.map(each => lineOf(report, each))
      expect(lines).to.deep.equal([last - 5, last - 3, last - 1, last])
    }
  })

  it('of a total or the name of a column are those of its front matter', async () => {
    const report = await reportOf(REPORT)
    const texts = ['coalesce(sum', 'max(shop)', 'null as "note"', '"amount",\n    "note"']
    expect(texts.map(text => lineOf(report, text))).to.deep.equal([8, 12, 9, 8])
  })

  it('are found for names of columns, facts and metrics', async () => {
    const report = await reportOf(REPORT)
    expect(['shop', 'amount', 'best', 'none'].map(name => lineOfName(report, name))).to.deep.equal([
      4,
      5,
      12,
      undefined,
    ])
    const { metricsFiles } = await load({ 'metrics/sales.sql': METRICS })
    expect(lineOfName(metricsFiles.get('sales')!, 'sold')).to.equal(3)
  })
})
