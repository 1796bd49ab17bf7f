/** Rows of money for tests that make their own: an account, and operations of a day in November. */
import type { FieldRow } from '../run.ts'

export const account = { id: 1, name: 'Счёт', kind: 'bank', opening_balance_kopecks: '1000' }
export const income = {
  kind: 'income',
  status: 'posted',
  operation_date: '2026-11-10',
  amount_kopecks: '100',
  account_id: 1,
  updated_at: '2026-11-10T09:00:00Z',
}
export const expense = { ...income, kind: 'expense' }
export const plan = { ...expense, status: 'planned' }

export function fields(row: FieldRow | undefined, names: readonly string[]) {
  return names.map(name => row?.[name])
}
