/** Oracle of the report `stock_below_minimum`. */
import { count, decimal, divide, scaled, sum } from '../../arithmetic.ts'
import { addDays, asOf, within } from '../../calendar.ts'
import { nameIn, split } from '../../grouped.ts'
import { field, maybe, type RawRow, type ReportOracle } from '../../oracle.ts'
import { sorted } from '../../order.ts'
import { isOfSales, quantityOf, stockFacts, type StockFact } from '../../stock-facts.ts'

/** The cost of a quantity in thousandths, at the price of the last receipt or the list price. */
function purchase(product: RawRow, facts: readonly StockFact[], quantity: bigint): bigint | null {
  const receipts = facts.filter(fact => fact.kind === 'receipt')
  const last = sorted(receipts, 'at', '#id').at(-1)
  if (last !== undefined) return divide(quantity * last.cost, last.quantity)
  const price = maybe(product, 'purchase_price_kopecks')
  return price === null ? null : divide(quantity * BigInt(price), 1000n)
}

export const oracle: ReportOracle = (rows, { period, today, timeZone }) => {
  const day = asOf(period, today)
  const lately = { start: addDays(day, -29), end: addDays(day, 1) }
  const supplierOf = nameIn(rows.counterparties, 'name')
  const known = stockFacts(rows, timeZone).filter(fact => fact.date < period.end)
  const factsOf = split(known, fact => fact.product)
  const found = rows.products
    .filter(product => field(product, 'kind') === 'goods')
    .filter(product => maybe(product, 'archived_at') === null)
    .flatMap(product => {
      const minimum = scaled(maybe(product, 'minimum_quantity') ?? '-1000000', 3)
      const facts = factsOf.get(field(product, 'id')) ?? []
      const stock = quantityOf(facts)
      if (maybe(product, 'minimum_quantity') === null || stock >= minimum) return []
      const shortage = minimum - stock
      const sold = -quantityOf(facts.filter(fact => isOfSales(fact) && within(fact.date, lately)))
      const amount = purchase(product, facts, shortage)
      return {
        product: field(product, 'name'),
        product_id: field(product, 'id'),
        sku: maybe(product, 'sku'),
        supplier: supplierOf(maybe(product, 'supplier_id')),
        unit: field(product, 'unit'),
        stock: decimal(stock, 3),
        minimum: decimal(minimum, 3),
        shortage: decimal(shortage, 3),
        daily_sales: decimal(sold > 0n ? divide(sold, 30n) : 0n, 3),
        price: purchase(product, facts, 1000n),
        amount,
        // Without a price, a product is last.
        rank: amount ?? -1n,
      }
    })
  return {
    rows: sorted(found, '-rank', 'product', '#product_id'),
    totals: { amount: sum(found.map(row => row.amount ?? 0n)) },
    facts: { without_price: count(found.filter(row => row.price === null)) },
  }
}
