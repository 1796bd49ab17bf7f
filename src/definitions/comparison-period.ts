/** The rule of `?compare=`: the period that a period is compared with. */
import type { IsoDate, Period, RawField } from '../model/terms.ts'
import { addDays, daysBetween } from './calendar.ts'

export const COMPARISONS = ['previous', 'year'] as const
export type ComparisonKind = (typeof COMPARISONS)[number]

export interface ComparedPeriods {
  /** The requested period; of an unfinished one, the days until today. */
  readonly period: Period
  /** The period that it is compared with. */
  readonly comparison: Period
}

/**
 * `year` is the same dates a year before. `previous` is as many months before a period that begins with a whole month,
 * the last one cut alike, else as many days before. An unfinished period is compared by its days until today, and both
 * periods end early. A period that begins after today is compared as a whole.
 */
export function comparedPeriods(
  { start, end }: Period,
  kind: ComparisonKind,
  today: IsoDate,
): ComparedPeriods {
  const last = addDays(end, -1)
  const lastElapsed = start <= today && today < last ? today : last
  const months = kind === 'year' ? 12 : monthsOf(start, last)
  const earlier = (date: IsoDate): IsoDate =>
    months === undefined ? addDays(date, -daysBetween(start, end)) : monthsBefore(date, months)
  return {
    period: { start, end: addDays(lastElapsed, 1) },
    comparison: { start: earlier(start), end: addDays(earlier(lastElapsed), 1) },
  }
}

/** How many months a period touches that begins with a whole one; undefined for any other. */
function monthsOf(start: IsoDate, last: IsoDate): number | undefined {
  const first = monthNumber(start)
  if (!start.endsWith('-01') || last < lastDayOf(first)) return undefined
  return monthNumber(last) - first + 1
}

/** The same day of an earlier month, or its last day; the last day of a month is that of the other. */
function monthsBefore(date: IsoDate, months: number): IsoDate {
  const number = monthNumber(date) - months
  const lastDay = lastDayOf(number)
  const isLast = date === lastDayOf(number + months)
  const sameDay = `${lastDay.slice(0, 8)}${date.slice(8)}`
  return isLast || sameDay > lastDay ? lastDay : sameDay
}

/** @returns a function of the months of two rows, of which one may be missing: those at the same position are a pair */
export function createMonthPairs({ period, comparison }: ComparedPeriods) {
  const distance = monthNumber(period.start) - monthNumber(comparison.start)
  return (ours: RawField = null, theirs: RawField = null) => {
    const month = ours ?? theirs
    // why: columns of the key are never null, unless a definition is wrong
    if (month === null) return { compared: null, isAlike: true }
    const number = monthNumber(month) - (ours === null ? 0 : distance)
    const days = daysOfMonth(period, number + distance).map(day => monthsBefore(day, distance))
    const compared = daysOfMonth(comparison, number)
    return {
      /** The month that is compared, `2025-12`; null if only one of the two is in its period. */
      compared: days.length === compared.length ? lastDayOf(number).slice(0, 7) : null,
      /** Whether both periods have the same days of them: all, or those of months that are cut alike. */
      isAlike: days.join() === compared.join(),
    }
  }
}

/** First and last day of the period in a month; none if it has no day there. */
function daysOfMonth({ start, end }: Period, month: number): IsoDate[] {
  const last = lastDayOf(month)
  const first = `${last.slice(0, 8)}01`
  if (end <= first || start > last) return []
  return [start > first ? start : first, end <= last ? addDays(end, -1) : last]
}

/** Months since January of year 0. */
export function monthNumber(date: IsoDate): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
}

function lastDayOf(month: number): IsoDate {
  const lastMs = Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)
  return new Date(lastMs).toISOString().slice(0, 10)
}
