/** Oracle of the report `stock_balance`. */
import { decimal, divide, scaled, sum } from '../../arithmetic.ts'
import { localDate, microseconds } from '../../calendar.ts'
import { byId, field, maybe, stockMovements } from '../../oracle.ts'
import type { ReportOracle } from '../../oracle.ts'
import { byIdentity, byName, descending, inOrder } from '../../order.ts'
import { split } from '../../split.ts'

export const oracle: ReportOracle = (rows, { period, timeZone }) => {
  const products = byId(rows.products)
  const warehouses = byId(rows.warehouses)
  const places = split(
    stockMovements(rows),
    movement => `${field(movement, 'product_id')} ${field(movement, 'warehouse_id')}`,
  )
  const lines = [...places.values()].flatMap(movements => {
    const [sample] = movements
    const product = products.get(sample === undefined ? '' : field(sample, 'product_id'))
    const warehouse = warehouses.get(sample === undefined ? '' : field(sample, 'warehouse_id'))
    if (product === undefined || warehouse === undefined) throw new Error('a movement of nothing')
    const facts = movements.map(movement => ({
      date: localDate(microseconds(field(movement, 'moved_at')), timeZone),
      quantity: scaled(field(movement, 'quantity'), 3),
      cost: BigInt(field(movement, 'cost_kopecks')),
    }))
    const before = facts.filter(fact => fact.date < period.start)
    const during = facts.filter(fact => fact.date >= period.start && fact.date < period.end)
    const arrived = during.filter(fact => fact.quantity > 0n)
    const departed = during.filter(fact => fact.quantity < 0n)
    const quantity = (list: typeof facts) => sum(list.map(fact => fact.quantity))
    const cost = (list: typeof facts) => sum(list.map(fact => fact.cost))
    const closing = quantity(before) + quantity(arrived) + quantity(departed)
    const value = cost(before) + cost(arrived) + cost(departed)
    const numbers = [quantity(before), quantity(arrived), -quantity(departed), closing] as const
    const values = {
      opening_value: cost(before),
      in_value: cost(arrived),
      out_value: -cost(departed),
      value,
    }
    if ([...numbers, ...Object.values(values)].every(number => number === 0n)) return []
    return [
      {
        product: field(product, 'name'),
        productId: field(product, 'id'),
        warehouse: field(warehouse, 'name'),
        warehouseId: field(warehouse, 'id'),
        row: {
          product: field(product, 'name'),
          sku: maybe(product, 'sku'),
          warehouse: field(warehouse, 'name'),
          unit: field(product, 'unit'),
          opening: decimal(numbers[0], 3),
          in: decimal(numbers[1], 3),
          out: decimal(numbers[2], 3),
          closing: decimal(numbers[3], 3),
          average_cost: closing > 0n ? divide(value * 1000n, closing) : null,
          ...values,
        },
      },
    ]
  })
  const ordered = lines.toSorted(
    inOrder(
      descending(line => line.row.value),
      byName(line => line.product),
      byIdentity(line => line.productId),
      byName(line => line.warehouse),
      byIdentity(line => line.warehouseId),
    ),
  )
  const total = (measure: 'opening_value' | 'in_value' | 'out_value' | 'value') =>
    sum(lines.map(line => line.row[measure]))
  const stocked = lines.filter(line => scaled(line.row.closing, 3) !== 0n)
  return {
    rows: ordered.map(line => line.row),
    totals: {
      opening_value: total('opening_value'),
      in_value: total('in_value'),
      out_value: total('out_value'),
      value: total('value'),
    },
    facts: {
      products: BigInt(new Set(stocked.map(line => line.productId)).size),
      warehouses: BigInt(new Set(stocked.map(line => line.warehouseId)).size),
    },
  }
}
