/** Facts of profit and loss: income, cost of goods and operating expenses, each on its local day. */
import type { IsoDate } from '../../../src/model/terms.ts'
import { localDate, microseconds } from './calendar.ts'
import { postedOperations, type Operation } from './operations-facts.ts'
import { field, type OrganizationRows, type RawRow } from './oracle.ts'

export interface ProfitFact {
  readonly date: IsoDate
  readonly kind: 'income' | 'cost' | 'operating'
  readonly amount: bigint
  /** The source: an operation or a stock movement. */
  readonly operation: Operation | null
  readonly movement: RawRow | null
}

/** Excludes operations whose kind and section disagree, such as income in a section of expenses. */
const KIND_BY_OPERATION = new Map<string, ProfitFact['kind']>([
  ['income in income', 'income'],
  ['expense in cost_of_goods', 'cost'],
  ['expense in operating', 'operating'],
])

/** A sale reduces stock: its cost is negative in the movement and positive in the cost of goods. */
const KIND_BY_MOVEMENT = new Map<string, ProfitFact['kind']>([
  ['sale', 'cost'],
  ['customer_return', 'cost'],
  ['write_off', 'operating'],
  ['surplus', 'operating'],
])

export function profitFacts(rows: OrganizationRows, timeZone: string): ProfitFact[] {
  const facts: ProfitFact[] = []
  for (const operation of postedOperations(rows)) {
    const kind = KIND_BY_OPERATION.get(`${operation.kind} in ${operation.section}`)
    if (kind === undefined) continue
    const { accruedOn, amount } = operation
    facts.push({ date: accruedOn, kind, amount, operation, movement: null })
  }
  for (const movement of rows.stock_movements) {
    const kind = KIND_BY_MOVEMENT.get(field(movement, 'kind'))
    if (kind === undefined) continue
    const date = localDate(microseconds(field(movement, 'moved_at')), timeZone)
    const amount = -BigInt(field(movement, 'cost_kopecks'))
    facts.push({ date, kind, amount, operation: null, movement })
  }
  return facts
}
