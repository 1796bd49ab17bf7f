/** What the product promises and no constraint checks: nothing posted is dated after now, but a paid advance. */
import { localDate, microseconds } from '../oracles/calendar.ts'
import type { Question } from '../oracles/oracle.ts'
import { has, text } from './edges.ts'
import { TABLES } from './tables.ts'
import type { Generated, GeneratedTables } from './tables.ts'

const INSTANTS = [
  'created_at',
  'updated_at',
  'won_at',
  'lost_at',
  'entered_at',
  'left_at',
  'moved_at',
  'completed_at',
  'cancelled_at',
  'received_at',
  'first_answer_at',
  'closed_at',
]

function isTooEarly(operation: Generated, { today }: Question): boolean {
  if (operation['status'] !== 'posted') return false
  const isPaid = has(operation, 'paid_on')
  return isPaid ? text(operation, 'paid_on') > today : text(operation, 'operation_date') > today
}

/** A row that breaks a promise; nothing where none does. */
export function broken(tables: GeneratedTables, question: Question): string {
  const { now, today, timeZone } = question
  const after = (row: Generated, column: string) =>
    has(row, column) && microseconds(text(row, column)) > microseconds(now)
  const rows = TABLES.flatMap(table => tables[table])
  const found =
    tables.operations.find(operation => isTooEarly(operation, question)) ??
    rows.find(row => INSTANTS.some(column => after(row, column))) ??
    tables.sales.find(sale => sale['status'] === 'posted' && after(sale, 'shipped_at'))
  if (localDate(microseconds(now), timeZone) !== today) return `${today} is not the day of ${now}`
  return found === undefined ? '' : JSON.stringify(found)
}
