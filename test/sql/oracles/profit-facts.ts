/** Facts of profit and loss: income, cost of goods and operating expenses, each on its local day. */
import type { IsoDate } from '../../../src/model/terms.ts'
import { dayOf, within } from './calendar.ts'
import { postedOperations, type Operation } from './operations-facts.ts'
import { field, kopecks, type OrganizationRows, type Question, type RawRow } from './oracle.ts'

export interface ProfitFact {
  readonly date: IsoDate
  readonly kind: 'income' | 'cost' | 'operating'
  readonly amount: bigint
  /** The source: an operation or a stock movement. */
  readonly operation: Operation | null
  readonly movement: RawRow | null
}

/**
 * Excludes operations whose kind and section disagree, such as income in a section of expenses. A sale reduces stock: its
 * cost is negative in the movement and positive in the cost of goods.
 */
const KINDS = new Map<string, ProfitFact['kind']>([
  ['income in income', 'income'],
  ['expense in cost_of_goods', 'cost'],
  ['expense in operating', 'operating'],
  ['sale', 'cost'],
  ['customer_return', 'cost'],
  ['write_off', 'operating'],
  ['surplus', 'operating'],
])

export function profitFacts(rows: OrganizationRows, timeZone: string): ProfitFact[] {
  const facts = [
    ...postedOperations(rows).map(operation => ({
      date: operation.accruedOn,
      kind: KINDS.get(`${operation.kind} in ${operation.section}`),
      amount: operation.amount,
      operation,
      movement: null,
    })),
    ...rows.stock_movements.map(movement => ({
      date: dayOf(movement, 'moved_at', timeZone),
      kind: KINDS.get(field(movement, 'kind')),
      amount: -kopecks(movement, 'cost_kopecks'),
      operation: null,
      movement,
    })),
  ]
  return facts.flatMap(fact => (fact.kind === undefined ? [] : { ...fact, kind: fact.kind }))
}

export function profitFactsWithin(rows: OrganizationRows, { period, timeZone }: Question) {
  return profitFacts(rows, timeZone).filter(fact => within(fact.date, period))
}
