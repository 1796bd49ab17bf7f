/** Oracle of the report `product_sales`. */
import { count, decimal, percent, sum, sums } from '../../arithmetic.ts'
import { asOf, firstDay, lastDay, months } from '../../calendar.ts'
import { split } from '../../grouped.ts'
import { field, kopecks, maybe, type Question, type ReportOracle } from '../../oracle.ts'
import { sorted } from '../../order.ts'
import { shippedDocuments } from '../../sale-facts.ts'
import { withShares } from '../../shares.ts'

/** The XYZ class: the coefficient of variation of monthly sales is at most 0.1 for X, at most 0.25 for Y. */
function steadiness(monthly: readonly bigint[]): 'X' | 'Y' | 'Z' | null {
  const [size, all] = [count(monthly), sum(monthly)]
  if (size < 3n || all <= 0n) return null
  const deviation = size * sum(monthly.map(quantity => quantity * quantity)) - all * all
  if (100n * deviation <= all * all) return 'X'
  return 10_000n * deviation <= 625n * all * all ? 'Y' : 'Z'
}

/** Whole months of the period that end by today. */
function wholeMonths({ period, today }: Question): string[] {
  const day = asOf(period, today)
  return months(period.start, day).filter(
    month => firstDay(month) >= period.start && lastDay(month) <= day,
  )
}

export const oracle: ReportOracle = (rows, question) => {
  const counted = wholeMonths(question)
  const movementsOf = split(rows.stock_movements, movement => maybe(movement, 'sale_line_id'))
  const costOf = ({ id }: { readonly id: string }) =>
    -sum((movementsOf.get(id) ?? []).map(movement => kopecks(movement, 'cost_kopecks')))
  const lines = shippedDocuments(rows, question).flatMap(document => document.lines)
  const linesOf = split(lines, line => line.product)
  const found = rows.products
    .map(product => {
      const own = linesOf.get(field(product, 'id')) ?? []
      const quantity = (list: typeof own) => sum(list.map(line => line.quantity))
      const ofMonth = split(own, line => line.shippedOn.slice(0, 7))
      const revenue = sum(own.map(line => line.amount))
      const cost = sum(own.map(costOf))
      return {
        product: field(product, 'name'),
        product_id: field(product, 'id'),
        sku: maybe(product, 'sku'),
        unit: field(product, 'unit'),
        quantity: quantity(own),
        sold: decimal(quantity(own), 3),
        revenue,
        cost,
        profit: revenue - cost,
        margin: percent(revenue - cost, revenue),
        xyz: steadiness(counted.map(month => quantity(ofMonth.get(month) ?? []))),
      }
    })
    .filter(({ quantity, revenue, cost }) => quantity !== 0n || revenue !== 0n || cost !== 0n)
  const shared = withShares(sorted(found, '-revenue', 'product', '#product_id'), 'revenue')
  const totals = sums(found, ['revenue', 'cost', 'profit'])
  return {
    rows: shared,
    totals: {
      ...totals,
      margin: percent(totals.profit, totals.revenue),
      share: percent(totals.revenue, totals.revenue),
    },
    facts: {
      products: count(found.filter(line => line.revenue > 0n)),
      a_class: count(shared.filter(({ abc }) => abc === 'A')),
    },
  }
}
