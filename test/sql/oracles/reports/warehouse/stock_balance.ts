/** Oracle of the report `stock_balance`. */
import { decimal, divide, sums } from '../../arithmetic.ts'
import { within } from '../../calendar.ts'
import { split } from '../../grouped.ts'
import { byId, field, maybe, type ReportOracle } from '../../oracle.ts'
import { sorted } from '../../order.ts'
import { costOf, quantityOf, stockFacts } from '../../stock-facts.ts'

const NUMBERS = ['opening', 'in', 'out', 'closing'] as const
const VALUES = ['opening_value', 'in_value', 'out_value', 'value'] as const

export const oracle: ReportOracle = (rows, { period, timeZone }) => {
  const products = byId(rows.products)
  const warehouses = byId(rows.warehouses)
  const places = split(
    stockFacts(rows, timeZone),
    ({ product, warehouse }) => `${product} ${warehouse}`,
  )
  const lines = [...places.values()].map(facts => {
    const product = products.get(facts[0]!.product)!
    const warehouse = warehouses.get(facts[0]!.warehouse)!
    const before = facts.filter(fact => fact.date < period.start)
    const during = facts.filter(fact => within(fact.date, period))
    const arrived = during.filter(fact => fact.quantity > 0n)
    const departed = during.filter(fact => fact.quantity < 0n)
    const closing = quantityOf([...before, ...during])
    const value = costOf([...before, ...during])
    return {
      product: field(product, 'name'),
      product_id: field(product, 'id'),
      warehouse_id: field(warehouse, 'id'),
      sku: maybe(product, 'sku'),
      warehouse: field(warehouse, 'name'),
      unit: field(product, 'unit'),
      opening: decimal(quantityOf(before), 3),
      in: decimal(quantityOf(arrived), 3),
      out: decimal(-quantityOf(departed), 3),
      closing: decimal(closing, 3),
      average_cost: closing > 0n ? divide(value * 1000n, closing) : null,
      opening_value: costOf(before),
      in_value: costOf(arrived),
      out_value: -costOf(departed),
      value,
    }
  })
  const shown = lines.filter(row => [...NUMBERS, ...VALUES].some(name => Number(row[name]) !== 0))
  const stocked = lines.filter(line => Number(line.closing) !== 0)
  const different = (ids: readonly string[]) => BigInt(new Set(ids).size)
  return {
    rows: sorted(shown, '-value', 'product', '#product_id', 'warehouse', '#warehouse_id'),
    totals: sums(lines, VALUES),
    facts: {
      products: different(stocked.map(line => line.product_id)),
      warehouses: different(stocked.map(line => line.warehouse_id)),
    },
  }
}
