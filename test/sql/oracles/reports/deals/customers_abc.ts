/** Oracle of the report `customers_abc`. */
import { count, percent, sum, sums } from '../../arithmetic.ts'
import { idText, nameIn, split } from '../../grouped.ts'
import type { ReportOracle } from '../../oracle.ts'
import { sorted } from '../../order.ts'
import { shippedDocuments } from '../../sale-facts.ts'
import { withShares } from '../../shares.ts'

export const oracle: ReportOracle = (rows, question) => {
  const innOf = nameIn(rows.counterparties, 'inn')
  const nameOf = nameIn(rows.counterparties, 'name', 'Без контрагента')
  const documents = shippedDocuments(rows, question).filter(document => document.lines.length > 0)
  const lines = [...split(documents, document => document.customer)]
    .map(([id, own]) => ({
      id,
      customer: nameOf(id),
      customer_id: idText(id),
      inn: innOf(id),
      sales: count(own.filter(document => document.kind === 'sale')),
      revenue: sum(own.flatMap(document => document.lines.map(line => line.amount))),
    }))
    .filter(({ sales, revenue }) => sales !== 0n || revenue !== 0n)
  const shared = withShares(sorted(lines, '-revenue', 'customer', '#id'), 'revenue')
  const totals = sums(lines, ['sales', 'revenue'])
  const best = shared.filter(({ abc }) => abc === 'A')
  return {
    rows: shared.map(row => ({ ...row, class: row.abc })),
    totals: { ...totals, share: percent(totals.revenue, totals.revenue) },
    facts: {
      // Unknown customers do not count.
      customers: count(lines.filter(({ id, sales }) => id !== null && sales > 0n)),
      best_share: percent(sum(best.map(({ revenue }) => revenue)), totals.revenue),
    },
  }
}
