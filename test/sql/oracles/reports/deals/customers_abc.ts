/** Oracle of the report `customers_abc`. */
import { percent, sum, sums } from '../../arithmetic.ts'
import { idText, innIn, nameIn, split } from '../../grouped.ts'
import { byId, type ReportOracle } from '../../oracle.ts'
import { ranked } from '../../order.ts'
import { shippedDocuments } from '../../sale-facts.ts'
import { sharesOf, totalShare } from '../../shares.ts'

export const oracle: ReportOracle = (rows, question) => {
  const counterparties = byId(rows.counterparties)
  const innOf = innIn(counterparties)
  const nameOf = nameIn(counterparties, 'name', 'Без контрагента')
  const documents = shippedDocuments(rows, question).filter(document => document.lines.length > 0)
  const lines = [...split(documents, document => document.customer)]
    .map(([id, own]) => ({
      id,
      customer: nameOf(id),
      sales: BigInt(own.filter(document => document.kind === 'sale').length),
      revenue: sum(own.flatMap(document => document.lines.map(line => line.amount))),
    }))
    .filter(({ sales, revenue }) => sales !== 0n || revenue !== 0n)
    .toSorted(
      ranked(
        line => line.revenue,
        line => line.customer,
        line => line.id,
      ),
    )
  const shared = sharesOf(lines, line => line.revenue)
  const best = shared.filter(({ abc }) => abc === 'A')
  const bestRevenue = sum(best.map(({ row }) => row.revenue))
  return {
    rows: shared.map(({ row, share, cumulativeShare, abc }) => ({
      customer: row.customer,
      customer_id: idText(row.id),
      inn: innOf(row.id),
      sales: row.sales,
      revenue: row.revenue,
      share,
      cumulative_share: cumulativeShare,
      class: abc,
    })),
    totals: {
      ...sums(lines, ['sales', 'revenue']),
      share: totalShare(lines.map(line => line.revenue)),
    },
    facts: {
      // Unknown customers do not count.
      customers: BigInt(lines.filter(({ id, sales }) => id !== null && sales > 0n).length),
      best_share: percent(bestRevenue, sum(lines.map(line => line.revenue))),
    },
  }
}
