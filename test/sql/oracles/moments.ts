/** Compares instants of raw rows with a period, by local date. */
import type { IsoDate } from '../../../src/model/terms.ts'
import { asOf, later, localDate, microseconds, months, within } from './calendar.ts'
import { maybe, type Question, type RawRow } from './oracle.ts'

/** The local date of an instant in a row; null if the field is null. */
export function dateOf(row: RawRow, name: string, timeZone: string): IsoDate | null {
  const text = maybe(row, name)
  return text === null ? null : localDate(microseconds(text), timeZone)
}

export function happened(date: IsoDate | null, question: Question): boolean {
  return date !== null && within(date, question.period)
}

/** Whether it began before the date `moment`, and did not end before it. */
export function openAt(moment: IsoDate, begun: IsoDate, ended: IsoDate | null): boolean {
  return begun < moment && (ended === null || ended >= moment)
}

/**
 * Months of the period as `YYYY-MM`, ascending, from the first fact to today; later ones up to the last fact.
 * @param dates of all facts of the organization, also outside the period
 */
export function factMonths(dates: readonly IsoDate[], { period, today }: Question): string[] {
  const [first] = dates.toSorted()
  const counted = dates.filter(date => within(date, period))
  const day = asOf(period, today)
  const hasNotBegun = day < period.start && counted.length === 0
  if (first === undefined || hasNotBegun) return []
  return months(later(period.start, first), counted.reduce(later, day))
}
