/** The edges that generated organizations are there for, each as a predicate over the rows and the question. */
import type { IsoDate } from '../../../src/terms.ts'
import { addDays, asOf, localDate, microseconds, within } from '../oracles/calendar.ts'
import type { Question } from '../oracles/oracle.ts'
import type { Generated, GeneratedTables } from './tables.ts'

export interface Edge {
  readonly name: string
  readonly occurs: (tables: GeneratedTables, question: Question) => boolean
}

export function text(row: Generated, name: string): string {
  return String(row[name] ?? '')
}

export function has(row: Generated, name: string): boolean {
  return row[name] !== null && row[name] !== undefined
}

export function kopecks(row: Generated): bigint {
  return BigInt(text(row, 'amount_kopecks'))
}

export function total(rows: readonly Generated[]): bigint {
  return rows.reduce((sum, row) => sum + kopecks(row), 0n)
}

export function byId(rows: readonly Generated[]): ReadonlyMap<string, Generated> {
  return new Map(rows.map(row => [text(row, 'id'), row]))
}

/** By the value of a column, none included. */
export function groups(rows: readonly Generated[], column: string): Map<string, Generated[]> {
  const found = new Map<string, Generated[]>()
  for (const row of rows) {
    const key = text(row, column)
    found.set(key, [...(found.get(key) ?? []), row])
  }
  return found
}

export function dayOf(row: Generated, name: string, { timeZone }: Question): IsoDate | null {
  return has(row, name) ? localDate(microseconds(text(row, name)), timeZone) : null
}

export function isWithin(row: Generated, name: string, question: Question): boolean {
  const day = dayOf(row, name, question)
  return day !== null && within(day, question.period)
}

export function lastDay({ period, today }: Question): IsoDate {
  return asOf(period, today)
}

export function posted(tables: GeneratedTables): Generated[] {
  return tables.operations.filter(operation => operation['status'] === 'posted')
}

/** A debt at the end of a day. */
export function isOpenOn(operation: Generated, day: IsoDate): boolean {
  return (
    operation['status'] === 'posted' &&
    operation['kind'] !== 'transfer' &&
    text(operation, 'operation_date') <= day &&
    (!has(operation, 'paid_on') || text(operation, 'paid_on') > day)
  )
}

export function isOpen(operation: Generated, question: Question): boolean {
  return isOpenOn(operation, lastDay(question))
}

export function dueDay(operation: Generated): IsoDate {
  return text(operation, has(operation, 'due_on') ? 'due_on' : 'operation_date')
}

/** What an operation brings; negative where it takes. */
export function flow(operation: Generated): bigint {
  if (operation['kind'] === 'transfer') return 0n
  return operation['kind'] === 'income' ? kopecks(operation) : -kopecks(operation)
}

/** Months that lie in the period and are over, as their number. */
export function wholeMonths(question: Question): number {
  const day = lastDay(question)
  let count = 0
  let month = `${question.period.start.slice(0, 7)}-01`
  while (month <= day) {
    const next = `${addDays(month, 31).slice(0, 7)}-01`
    if (month >= question.period.start && addDays(next, -1) <= day) count += 1
    month = next
  }
  return count
}
