/** Oracle of the report `stock_balance`. */
import { decimal, divide, scaled, sum, sums } from '../../arithmetic.ts'
import { localDate, microseconds, within } from '../../calendar.ts'
import { byId, field, maybe, stockMovements, type ReportOracle } from '../../oracle.ts'
import { byIdentity, byName, descending, inOrder } from '../../order.ts'
import { split } from '../../grouped.ts'

const NUMBERS = ['opening', 'in', 'out', 'closing'] as const
const VALUES = ['opening_value', 'in_value', 'out_value', 'value'] as const

export const oracle: ReportOracle = (rows, { period, timeZone }) => {
  const products = byId(rows.products)
  const warehouses = byId(rows.warehouses)
  const places = split(
    stockMovements(rows),
    movement => `${field(movement, 'product_id')} ${field(movement, 'warehouse_id')}`,
  )
  const lines = [...places.values()].map(movements => {
    const product = products.get(field(movements[0]!, 'product_id'))!
    const warehouse = warehouses.get(field(movements[0]!, 'warehouse_id'))!
    const facts = movements.map(movement => ({
      date: localDate(microseconds(field(movement, 'moved_at')), timeZone),
      quantity: scaled(field(movement, 'quantity'), 3),
      cost: BigInt(field(movement, 'cost_kopecks')),
    }))
    const before = facts.filter(fact => fact.date < period.start)
    const during = facts.filter(fact => within(fact.date, period))
    const arrived = during.filter(fact => fact.quantity > 0n)
    const departed = during.filter(fact => fact.quantity < 0n)
    const quantity = (list: typeof facts) => sum(list.map(fact => fact.quantity))
    const cost = (list: typeof facts) => sum(list.map(fact => fact.cost))
    const closing = quantity([...before, ...during])
    const value = cost([...before, ...during])
    return {
      productId: field(product, 'id'),
      warehouseId: field(warehouse, 'id'),
      row: {
        product: field(product, 'name'),
        product_id: field(product, 'id'),
        warehouse_id: field(warehouse, 'id'),
        sku: maybe(product, 'sku'),
        warehouse: field(warehouse, 'name'),
        unit: field(product, 'unit'),
        opening: decimal(quantity(before), 3),
        in: decimal(quantity(arrived), 3),
        out: decimal(-quantity(departed), 3),
        closing: decimal(closing, 3),
        average_cost: closing > 0n ? divide(value * 1000n, closing) : null,
        opening_value: cost(before),
        in_value: cost(arrived),
        out_value: -cost(departed),
        value,
      },
    }
  })
  const shown = lines.filter(({ row }) =>
    [...NUMBERS, ...VALUES].some(name => Number(row[name]) !== 0),
  )
  const ordered = shown.toSorted(
    inOrder(
      descending(line => line.row.value),
      byName(line => line.row.product),
      byIdentity(line => line.productId),
      byName(line => line.row.warehouse),
      byIdentity(line => line.warehouseId),
    ),
  )
  const stocked = lines.filter(line => scaled(line.row.closing, 3) !== 0n)
  return {
    rows: ordered.map(line => line.row),
    totals: sums(
      lines.map(({ row }) => row),
      VALUES,
    ),
    facts: {
      products: BigInt(new Set(stocked.map(line => line.productId)).size),
      warehouses: BigInt(new Set(stocked.map(line => line.warehouseId)).size),
    },
  }
}
