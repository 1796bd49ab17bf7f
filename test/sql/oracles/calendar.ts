/** Dates, months and instants for oracles. Time zones go through Intl, never through PostgreSQL. */
import type { IsoDate, Period } from '../../../src/model/terms.ts'
import { field, maybe, type Question, type RawRow } from './oracle.ts'

/** Microseconds since the epoch, the resolution of `timestamptz`. */
export type Microseconds = bigint

export const HOUR: Microseconds = 3_600_000_000n
export const DAY: Microseconds = 24n * HOUR

/** `2026-03-31 21:00:00.123456+00`, as PostgreSQL prints an instant in UTC, or RFC 3339 in UTC. */
export function microseconds(text: string): Microseconds {
  const parts = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:\+00(?::00)?|Z)$/.exec(
    text,
  )
  if (parts === null) throw new Error(`${text} is no instant in UTC`)
  const [, date = '', time = '', fraction = ''] = parts
  return BigInt(Date.parse(`${date}T${time}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'))
}

const formats = new Map<string, Intl.DateTimeFormat>()
const dates = new Map<string, IsoDate>()

/** The organization's date at an instant. */
export function localDate(instant: Microseconds, timeZone: string): IsoDate {
  // Offsets change at whole quarter-hours, so the date is constant within each.
  const quarter = instant / 900_000_000n
  const key = `${timeZone} ${quarter}`
  const known = dates.get(key)
  if (known !== undefined) return known
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone })
  formats.set(timeZone, format)
  const date = format.format(new Date(Number(quarter * 900_000n)))
  dates.set(key, date)
  return date
}

export function addDays(date: IsoDate, days: number): IsoDate {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
}

/** Whole days from one date to another. */
export function daysBetween(from: IsoDate, to: IsoDate): bigint {
  return BigInt((Date.parse(to) - Date.parse(from)) / 86_400_000)
}

/** The day at whose end ages and debts are computed: the period's last day, or today if that is earlier. */
export function asOf(period: Period, today: IsoDate): IsoDate {
  return earlier(addDays(period.end, -1), today)
}

export function earlier(a: IsoDate, b: IsoDate): IsoDate {
  return a < b ? a : b
}

export function later(a: IsoDate, b: IsoDate): IsoDate {
  return a > b ? a : b
}

export function within(date: IsoDate, period: Period): boolean {
  return date >= period.start && date < period.end
}

/** `YYYY-MM` of both ends and every month between; empty if the first is later. */
export function months(from: IsoDate, to: IsoDate): string[] {
  const found: string[] = []
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = dayAfter(month).slice(0, 7)) {
    found.push(month)
  }
  return found
}

/** «Январь 2026» */
export function monthName(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`)
  const name = new Intl.DateTimeFormat('ru', { month: 'long', timeZone: 'UTC' }).format(date)
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${Number(month.slice(0, 4))}`
}

export function firstDay(month: string): IsoDate {
  return `${month}-01`
}

/** The first day of the next month. */
export function dayAfter(month: string): IsoDate {
  return firstDay(addDays(`${month}-28`, 4).slice(0, 7))
}

export function lastDay(month: string): IsoDate {
  return addDays(dayAfter(month), -1)
}

/** The local date of an instant in a row; null if the field is null. */
export function dateOf(row: RawRow, name: string, timeZone: string): IsoDate | null {
  const text = maybe(row, name)
  return text === null ? null : localDate(microseconds(text), timeZone)
}

/** The same of a field that is not null. */
export function dayOf(row: RawRow, name: string, timeZone: string): IsoDate {
  return localDate(microseconds(field(row, name)), timeZone)
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

export interface Week {
  readonly first: IsoDate
  readonly last: IsoDate
}

function monday(date: IsoDate): IsoDate {
  return addDays(date, -((new Date(date).getUTCDay() + 6) % 7))
}

/** The weeks of both dates and all between. The first begins on `from`, the last ends by `end`. */
export function weeks(from: IsoDate, to: IsoDate, end: IsoDate): Week[] {
  const found: Week[] = []
  for (let first = from; first <= to; first = addDays(monday(first), 7)) {
    found.push({ first, last: earlier(addDays(monday(first), 6), end) })
  }
  return found
}

export function daysOf({ first, last }: Week): IsoDate[] {
  const days: IsoDate[] = []
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day)
  return days
}

/** «23.11–29.11.2026»; for one day «29.11.2026» */
export function weekName({ first, last }: Week): string {
  const end = last.split('-').toReversed().join('.')
  if (first === last) return end
  const [, month, day] = first.split('-')
  return `${day}.${month}–${end}`
}
