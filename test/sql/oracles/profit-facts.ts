/** What profit and loss counts: income, cost of goods and operating expenses, each on its local day. */
import type { IsoDate } from '../../../src/terms.ts'
import { localDate, microseconds } from './calendar.ts'
import { postedOperations } from './operations-facts.ts'
import { field } from './oracle.ts'
import type { OrganizationRows } from './oracle.ts'

export interface ProfitFact {
  readonly date: IsoDate
  readonly kind: 'income' | 'cost' | 'operating'
  readonly amount: bigint
}

/** An operation whose kind and section disagree, such as income in a section of expenses, is money only. */
const KIND_BY_OPERATION = new Map<string, ProfitFact['kind']>([
  ['income in income', 'income'],
  ['expense in cost_of_goods', 'cost'],
  ['expense in operating', 'operating'],
])

/** A sale takes stock away: its cost is negative in the movement and positive in the cost of goods. */
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
    facts.push({ date: operation.accruedOn, kind, amount: operation.amount })
  }
  for (const movement of rows.stock_movements) {
    const kind = KIND_BY_MOVEMENT.get(field(movement, 'kind'))
    if (kind === undefined) continue
    const date = localDate(microseconds(field(movement, 'moved_at')), timeZone)
    facts.push({ date, kind, amount: -BigInt(field(movement, 'cost_kopecks')) })
  }
  return facts
}
