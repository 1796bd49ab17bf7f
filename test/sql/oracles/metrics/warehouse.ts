/** Oracle of the metrics of the warehouse. */
import { ratio, scaled, sum } from '../arithmetic.ts'
import { asOf, daysBetween } from '../calendar.ts'
import { field, maybe } from '../oracle.ts'
import type { MetricsOracle } from '../oracle.ts'
import { costOf, isOfSales, stockFacts } from '../stock-facts.ts'

export const oracle: MetricsOracle = (rows, { period, today, timeZone }) => {
  const day = asOf(period, today)
  const movements = stockFacts(rows, timeZone).filter(movement => movement.date < period.end)
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
  const before = costOf(movements.filter(m => m.date < period.start))
  const kopeckDays = before * days + sum(during.map(m => m.cost * (daysBetween(m.date, day) + 1n)))
  const costOfSales = -costOf(during.filter(isOfSales))
  return {
    stock_value: costOf(movements),
    stock_below_minimum: BigInt(short.length),
    stock_turnover_days: days <= 0n ? null : ratio(kopeckDays, costOfSales, 1),
  }
}
