/** Movements of goods for oracles: signed quantity and cost, on the local day. */
import { scaled, sum } from './arithmetic.ts'
import { dayOf, microseconds } from './calendar.ts'
import { nameIn } from './grouped.ts'
import { field, kopecks, type OrganizationRows } from './oracle.ts'

export type StockFact = ReturnType<typeof stockFacts>[number]

export function stockFacts(rows: OrganizationRows, timeZone: string) {
  const kindOf = nameIn(rows.products, 'kind')
  return rows.stock_movements
    .filter(row => kindOf(field(row, 'product_id')) === 'goods')
    .map(row => ({
      id: field(row, 'id'),
      kind: field(row, 'kind'),
      product: field(row, 'product_id'),
      warehouse: field(row, 'warehouse_id'),
      at: microseconds(field(row, 'moved_at')),
      date: dayOf(row, 'moved_at', timeZone),
      /** In thousandths. */
      quantity: scaled(field(row, 'quantity'), 3),
      cost: kopecks(row, 'cost_kopecks'),
    }))
}

export function quantityOf(facts: readonly StockFact[]): bigint {
  return sum(facts.map(fact => fact.quantity))
}

export function costOf(facts: readonly StockFact[]): bigint {
  return sum(facts.map(fact => fact.cost))
}

/** Whether it is a sale or a customer's return. */
export function isOfSales(fact: StockFact): boolean {
  return fact.kind === 'sale' || fact.kind === 'customer_return'
}
