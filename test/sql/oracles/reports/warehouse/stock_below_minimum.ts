/** Oracle of the report `stock_below_minimum`. */
import { decimal, divide, scaled, sum } from '../../arithmetic.ts'
import { addDays, asOf, within } from '../../calendar.ts'
import { byId, field, maybe, type RawRow, type ReportOracle } from '../../oracle.ts'
import { ascending, byIdentity, byName, descending, inOrder } from '../../order.ts'
import { split } from '../../grouped.ts'
import { isOfSales, quantityOf, stockFacts, type StockFact } from '../../stock-facts.ts'

/** The cost of a quantity in thousandths, at the price of the last receipt or the list price. */
function purchase(product: RawRow, facts: readonly StockFact[], quantity: bigint): bigint | null {
  const last = facts
    .filter(fact => fact.kind === 'receipt')
    .toSorted(
      inOrder(
        ascending(fact => fact.at),
        byIdentity(fact => fact.id),
      ),
    )
    .at(-1)
  if (last !== undefined) return divide(quantity * last.cost, last.quantity)
  const price = maybe(product, 'purchase_price_kopecks')
  return price === null ? null : divide(quantity * BigInt(price), 1000n)
}

export const oracle: ReportOracle = (rows, { period, today, timeZone }) => {
  const day = asOf(period, today)
  const lately = { start: addDays(day, -29), end: addDays(day, 1) }
  const suppliers = byId(rows.counterparties)
  const known = stockFacts(rows, timeZone).filter(fact => fact.date < period.end)
  const factsOf = split(known, fact => fact.product)
  const found = rows.products
    .filter(product => field(product, 'kind') === 'goods')
    .filter(product => maybe(product, 'archived_at') === null)
    .flatMap(product => {
      const minimum = maybe(product, 'minimum_quantity')
      const facts = factsOf.get(field(product, 'id')) ?? []
      const stock = quantityOf(facts)
      if (minimum === null || stock >= scaled(minimum, 3)) return []
      const shortage = scaled(minimum, 3) - stock
      const sold = -quantityOf(facts.filter(fact => isOfSales(fact) && within(fact.date, lately)))
      const supplier = suppliers.get(maybe(product, 'supplier_id') ?? '')
      return [
        {
          id: field(product, 'id'),
          row: {
            product: field(product, 'name'),
            product_id: field(product, 'id'),
            sku: maybe(product, 'sku'),
            supplier: supplier === undefined ? null : field(supplier, 'name'),
            unit: field(product, 'unit'),
            stock: decimal(stock, 3),
            minimum: decimal(scaled(minimum, 3), 3),
            shortage: decimal(shortage, 3),
            daily_sales: decimal(sold > 0n ? divide(sold, 30n) : 0n, 3),
            price: purchase(product, facts, 1000n),
            amount: purchase(product, facts, shortage),
          },
        },
      ]
    })
    .toSorted(
      inOrder(
        ascending(({ row }) => (row.amount === null ? 1n : 0n)),
        descending(({ row }) => row.amount ?? 0n),
        byName(({ row }) => row.product),
        byIdentity(({ id }) => id),
      ),
    )
    .map(({ row }) => row)
  return {
    rows: found,
    totals: { amount: sum(found.map(row => row.amount ?? 0n)) },
    facts: { without_price: BigInt(found.filter(row => row.price === null).length) },
  }
}
