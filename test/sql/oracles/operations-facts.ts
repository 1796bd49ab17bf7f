/** Posted and planned operations for finance oracles, with section and dates. */
import type { IsoDate } from '../../../src/model/terms.ts'
import { sum } from './arithmetic.ts'
import { byId, field, maybe, type OrganizationRows, type RawRow } from './oracle.ts'

export interface Operation {
  readonly id: string
  readonly kind: 'income' | 'expense' | 'transfer'
  /** The category's. Without a category: `income` for income, `operating` for an expense, null for a transfer. */
  readonly section: string | null
  readonly accruedOn: IsoDate
  readonly paidOn: IsoDate | null
  readonly dueOn: IsoDate | null
  /** With the product's sign: a refund is negative. */
  readonly amount: bigint
  readonly row: RawRow
}

function kindOf(row: RawRow): Operation['kind'] {
  const kind = field(row, 'kind')
  if (kind === 'income' || kind === 'expense' || kind === 'transfer') return kind
  throw new Error(`an operation of kind ${kind}`)
}

/** Excludes planned and cancelled operations. */
export function postedOperations(rows: OrganizationRows): Operation[] {
  return operationsOf(rows, 'posted')
}

/** Planned operations, for the payment calendar only. */
export function plannedOperations(rows: OrganizationRows): Operation[] {
  return operationsOf(rows, 'planned')
}

function operationsOf(rows: OrganizationRows, status: 'posted' | 'planned'): Operation[] {
  const categories = byId(rows.categories)
  return rows.operations
    .filter(row => field(row, 'status') === status)
    .map(row => {
      const kind = kindOf(row)
      const category = categories.get(maybe(row, 'category_id') ?? '')
      const bare = kind === 'income' ? 'income' : kind === 'expense' ? 'operating' : null
      return {
        id: field(row, 'id'),
        kind,
        section: category === undefined ? bare : field(category, 'section'),
        accruedOn: field(row, 'operation_date'),
        paidOn: maybe(row, 'paid_on'),
        dueOn: maybe(row, 'due_on'),
        amount: BigInt(field(row, 'amount_kopecks')),
        row,
      }
    })
}

/** The change of the organization's money: positive for receipts, 0 for transfers. */
export function flow(operation: Operation): bigint {
  if (operation.kind === 'transfer') return 0n
  return operation.kind === 'income' ? operation.amount : -operation.amount
}

/** Money on all accounts at the end of a day. Opening balances count before any date. */
export function moneyOn(rows: OrganizationRows, day: IsoDate): bigint {
  const moved = postedOperations(rows).filter(
    operation => operation.paidOn !== null && operation.paidOn <= day,
  )
  return (
    sum(rows.accounts.map(account => BigInt(field(account, 'opening_balance_kopecks')))) +
    sum(moved.map(flow))
  )
}
