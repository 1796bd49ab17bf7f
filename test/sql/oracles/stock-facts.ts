/** Movements of goods for oracles: signed quantity and cost, on the local day. */
import type { IsoDate } from '../../../src/model/terms.ts'
import { scaled, sum } from './arithmetic.ts'
import { localDate, microseconds, type Microseconds } from './calendar.ts'
import { field, stockMovements, type OrganizationRows } from './oracle.ts'

export interface StockFact {
  readonly id: string
  readonly kind: string
  readonly product: string
  readonly at: Microseconds
  readonly date: IsoDate
  /** In thousandths. */
  readonly quantity: bigint
  readonly cost: bigint
}

export function stockFacts(rows: OrganizationRows, timeZone: string): StockFact[] {
  return stockMovements(rows).map(row => {
    const at = microseconds(field(row, 'moved_at'))
    return {
      id: field(row, 'id'),
      kind: field(row, 'kind'),
      product: field(row, 'product_id'),
      at,
      date: localDate(at, timeZone),
      quantity: scaled(field(row, 'quantity'), 3),
      cost: BigInt(field(row, 'cost_kopecks')),
    }
  })
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
