/** Oracle of the metrics of the warehouse. */
import { ratio, scaled, sum } from '../arithmetic.ts'
import { asOf, daysBetween, localDate, microseconds } from '../calendar.ts'
import { field, maybe, stockMovements } from '../oracle.ts'
import type { MetricsOracle } from '../oracle.ts'

export const oracle: MetricsOracle = (rows, { period, today, timeZone }) => {
  const day = asOf(period, today)
  const movements = stockMovements(rows)
    .map(row => ({
      date: localDate(microseconds(field(row, 'moved_at')), timeZone),
      kind: field(row, 'kind'),
      product: field(row, 'product_id'),
      quantity: scaled(field(row, 'quantity'), 3),
      cost: BigInt(field(row, 'cost_kopecks')),
    }))
    .filter(movement => movement.date < period.end)
  const during = movements.filter(movement => movement.date >= period.start)

  const stock = new Map<string, bigint>()
  for (const { product, quantity } of movements) {
    stock.set(product, (stock.get(product) ?? 0n) + quantity)
  }
  const short = rows.products.filter(product => {
    const minimum = maybe(product, 'minimum_quantity')
    return (
      field(product, 'kind') === 'goods' &&
      maybe(product, 'archived_at') === null &&
      minimum !== null &&
      (stock.get(field(product, 'id')) ?? 0n) < scaled(minimum, 3)
    )
  })

  // The stock of every evening added up: value at the start for all days, then what each movement adds.
  const days = daysBetween(period.start, day) + 1n
  const before = sum(movements.filter(m => m.date < period.start).map(m => m.cost))
  const kopeckDays = before * days + sum(during.map(m => m.cost * (daysBetween(m.date, day) + 1n)))
  const costOfSales = -sum(
    during.filter(m => m.kind === 'sale' || m.kind === 'customer_return').map(m => m.cost),
  )
  return {
    stock_value: sum(movements.map(movement => movement.cost)),
    stock_below_minimum: BigInt(short.length),
    stock_turnover_days: days <= 0n ? null : ratio(kopeckDays, costOfSales, 1),
  }
}
