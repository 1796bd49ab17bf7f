/** Posted and planned operations for finance oracles, with section and dates. */
import type { IsoDate } from '../../../src/model/terms.ts'
import { sum } from './arithmetic.ts'
import { nameIn } from './grouped.ts'
import { field, kopecks, maybe, type OrganizationRows, type RawRow } from './oracle.ts'

export interface Operation {
  readonly id: string
  readonly kind: 'income' | 'expense' | 'transfer'
  /** The category's. Without a category: `income` for income, `operating` for an expense, null for a transfer. */
  readonly section: string | null
  readonly accruedOn: IsoDate
  readonly paidOn: IsoDate | null
  /** With the product's sign: a refund is negative. */
  readonly amount: bigint
  readonly row: RawRow
}

const SECTION_WITHOUT_CATEGORY = { income: 'income', expense: 'operating', transfer: null }

/** Those that are not planned or cancelled; `planned` ones are for the payment calendar only. */
export function postedOperations(rows: OrganizationRows, status = 'posted'): Operation[] {
  const sectionOf = nameIn(rows.categories, 'section')
  return rows.operations
    .filter(row => field(row, 'status') === status)
    .map(row => {
      const kind = field(row, 'kind') as Operation['kind']
      return {
        id: field(row, 'id'),
        kind,
        section: sectionOf(maybe(row, 'category_id')) ?? SECTION_WITHOUT_CATEGORY[kind],
        accruedOn: field(row, 'operation_date'),
        paidOn: maybe(row, 'paid_on'),
        amount: kopecks(row),
        row,
      }
    })
}

/** Columns of the reports that list operations. */
export function operationColumns(rows: OrganizationRows): (operation: Operation) => {
  readonly [column: string]: string | null
} {
  const category = nameIn(rows.categories, 'name')
  const account = nameIn(rows.accounts, 'name')
  const counterparty = nameIn(rows.counterparties, 'name')
  const project = nameIn(rows.projects, 'name')
  return ({ id, kind, accruedOn, paidOn, row }) => ({
    operation_id: id,
    date: accruedOn,
    paid_on: paidOn,
    category: kind === 'transfer' ? null : (category(maybe(row, 'category_id')) ?? 'Без статьи'),
    account: account(maybe(row, 'account_id')),
    to_account: account(maybe(row, 'to_account_id')),
    counterparty: counterparty(maybe(row, 'counterparty_id')),
    project: project(maybe(row, 'project_id')),
    description: maybe(row, 'description'),
    updated_at: field(row, 'updated_at'),
  })
}

/** The change of the organization's money: positive for receipts, 0 for transfers. */
export function flow(operation: Operation): bigint {
  if (operation.kind === 'transfer') return 0n
  return operation.kind === 'income' ? operation.amount : -operation.amount
}

/** Money on all accounts at the end of a day. Opening balances count before any date. */
export function moneyOn(rows: OrganizationRows, day: IsoDate): bigint {
  const moved = postedOperations(rows).filter(({ paidOn }) => paidOn !== null && paidOn <= day)
  const opening = rows.accounts.map(account => kopecks(account, 'opening_balance_kopecks'))
  return sum([...opening, ...moved.map(flow)])
}
