/** Dates, months and instants for oracles. Time zones go through Intl, never through PostgreSQL. */
import type { IsoDate, Period } from '../../../src/model/terms.ts'

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
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    formats.set(timeZone, format)
  }
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
  let year = Number(from.slice(0, 4))
  let month = Number(from.slice(5, 7))
  for (;;) {
    const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`
    if (text > to.slice(0, 7)) return found
    found.push(text)
    month += 1
    if (month > 12) {
      month = 1
      year += 1
    }
  }
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
