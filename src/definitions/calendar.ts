/** Dates of an organization: plain `YYYY-MM-DD` and what the time zone makes of an instant. Knows no clock. */
import type { IsoDate, Milliseconds, Period } from '../model/terms.ts'

const DAY_MS = 86_400_000
/** Calendars repeat after 400 years. */
const ERA_MS = 146_097 * DAY_MS
const QUARTER_HOUR_MS = 900_000

// why: names of zones are data, and may be spelt in any case
const MAX_ZONES = 1000

/** Making one costs about 50 µs and asking it about 1 µs, so one is cached for each zone. */
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * The calendar date at an instant.
 * @throws Error naming the zone, where it is no IANA name that this runtime knows.
 */
export function localDate(instantMs: Milliseconds, timeZone: string): IsoDate {
  const quarter = Math.floor(instantMs / QUARTER_HOUR_MS)
  const last = lastDates.get(timeZone)
  if (last?.quarter === quarter) return last.date
  const { year, month, day } = wallClock(instantMs, timeZone)
  const date = dateOf(year, month, day)
  // why: before, a day may end at any minute
  if (instantMs > QUARTERS_SINCE_MS) setBounded(lastDates, timeZone, { quarter, date })
  return date
}

/** Of each zone: a request asks for it several times, and each takes some 5 µs. */
const lastDates = new Map<string, { readonly quarter: number; readonly date: IsoDate }>()
/** Since then days end, and offsets change, at whole quarters of an hour of UTC; Newfoundland was the last. */
const QUARTERS_SINCE_MS = Date.UTC(2012, 0)

/**
 * Minutes that the zone is ahead of UTC at an instant; a fraction in the days of local mean time.
 * @throws Error naming the zone, where it is no IANA name that this runtime knows.
 */
export function offsetOf(instantMs: Milliseconds, timeZone: string): number {
  const { year, month, day, hour, minute, second } = wallClock(instantMs, timeZone)
  // why: Date.UTC takes a year below 100 for one of the last century
  const asUtcMs = Date.UTC(year + 400, month - 1, day, hour, minute, second) - ERA_MS
  return (asUtcMs - Math.floor(instantMs / 1000) * 1000) / 60_000
}

/** `YYYY-MM-DD` that exists, from year 0001 to 9999. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return false
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text
}

/** The date so many days later, or earlier where `days` is below 0. */
export function addDays(date: IsoDate, days: number): IsoDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** How many days lie from one date to the next one's beginning. */
export function daysBetween(start: IsoDate, end: IsoDate): number {
  return (Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`)) / DAY_MS
}

/** Whether the period's last day is behind us. ISO dates of four-digit years sort as text. */
export function isClosed(period: Period, today: IsoDate): boolean {
  return period.end <= today
}

/** The day at whose end ages and debts are taken: the period's last day, but never after today. */
export function asOf(period: Period, today: IsoDate): IsoDate {
  const last = addDays(period.end, -1)
  return last < today ? last : today
}

function dateOf(year: number, month: number, day: number): IsoDate {
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}

function wallClock(instantMs: Milliseconds, timeZone: string) {
  const parts = formatFor(timeZone).formatToParts(instantMs)
  const text = (type: Intl.DateTimeFormatPartTypes) => parts.find(part => part.type === type)?.value
  const field = (type: Intl.DateTimeFormatPartTypes) => Number(text(type))
  // why: the year before 1 is 1 BC, and 0 to arithmetic
  const year = text('era') === 'B' ? 1 - field('year') : field('year')
  return {
    year,
    month: field('month'),
    day: field('day'),
    hour: field('hour'),
    minute: field('minute'),
    second: field('second'),
  }
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  try {
    const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      era: 'narrow',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    setBounded(formats, timeZone, format)
    return format
  } catch (cause) {
    const found = JSON.stringify(timeZone)
    throw new Error(`time zone ${found} is unknown, expected an IANA name such as Europe/Moscow`, {
      cause,
    })
  }
}

function setBounded<Value>(ofZones: Map<string, Value>, timeZone: string, value: Value): void {
  if (ofZones.size >= MAX_ZONES) ofZones.clear()
  ofZones.set(timeZone, value)
}
