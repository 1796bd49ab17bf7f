/** Oracle of the report `product_sales`. */
import { decimal, percent, sum } from '../../arithmetic.ts'
import { asOf, firstDay, lastDay, months } from '../../calendar.ts'
import { field, maybe } from '../../oracle.ts'
import type { OrganizationRows, Question, ReportOracle } from '../../oracle.ts'
import { ranked } from '../../order.ts'
import { shippedDocuments, type ShippedLine } from '../../sale-facts.ts'
import { sharesOf, totalShare } from '../../shares.ts'
import { split } from '../../grouped.ts'

/** The XYZ class: the coefficient of variation of monthly sales is at most 0.1 for X, at most 0.25 for Y. */
function steadiness(monthly: readonly bigint[]): 'X' | 'Y' | 'Z' | null {
  const count = BigInt(monthly.length)
  const all = sum(monthly)
  if (count < 3n || all <= 0n) return null
  const deviation = count * sum(monthly.map(quantity => quantity * quantity)) - all * all
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

/** @returns the cost of a line's movements. */
function costs(rows: OrganizationRows): (line: ShippedLine) => bigint {
  const moved = rows.stock_movements.filter(movement => maybe(movement, 'sale_line_id') !== null)
  const movementsOf = split(moved, movement => field(movement, 'sale_line_id'))
  return line =>
    -sum((movementsOf.get(line.id) ?? []).map(movement => BigInt(field(movement, 'cost_kopecks'))))
}

export const oracle: ReportOracle = (rows, question) => {
  const costOf = costs(rows)
  const counted = wholeMonths(question)
  const lines = shippedDocuments(rows, question).flatMap(document => document.lines)
  const linesOf = split(lines, line => line.product)
  const found = rows.products
    .map(product => {
      const own = linesOf.get(field(product, 'id')) ?? []
      const quantity = (list: readonly ShippedLine[]) => sum(list.map(line => line.quantity))
      const ofMonth = split(own, line => line.shippedOn.slice(0, 7))
      return {
        product,
        sold: quantity(own),
        revenue: sum(own.map(line => line.amount)),
        cost: sum(own.map(costOf)),
        xyz: steadiness(counted.map(month => quantity(ofMonth.get(month) ?? []))),
      }
    })
    .filter(({ sold, revenue, cost }) => sold !== 0n || revenue !== 0n || cost !== 0n)
    .toSorted(
      ranked(
        line => line.revenue,
        line => field(line.product, 'name'),
        line => field(line.product, 'id'),
      ),
    )
  const revenue = sum(found.map(line => line.revenue))
  const cost = sum(found.map(line => line.cost))
  const shared = sharesOf(found, line => line.revenue)
  return {
    rows: shared.map(({ row, share, abc }) => ({
      product: field(row.product, 'name'),
      product_id: field(row.product, 'id'),
      sku: maybe(row.product, 'sku'),
      unit: field(row.product, 'unit'),
      sold: decimal(row.sold, 3),
      revenue: row.revenue,
      cost: row.cost,
      profit: row.revenue - row.cost,
      margin: percent(row.revenue - row.cost, row.revenue),
      share,
      abc,
      xyz: row.xyz,
    })),
    totals: {
      revenue,
      cost,
      profit: revenue - cost,
      margin: percent(revenue - cost, revenue),
      share: totalShare(found.map(line => line.revenue)),
    },
    facts: {
      products: BigInt(found.filter(line => line.revenue > 0n).length),
      a_class: BigInt(shared.filter(({ abc }) => abc === 'A').length),
    },
  }
}
