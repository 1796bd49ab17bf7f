/** PostgreSQL's dates and UTC instants as days and microseconds since 1970. Knows no time zone. */
import { isDay, isDigit, isMonth, readTwo } from '../digits.ts'

const DAY_SECONDS = 86_400
const MICROS = 1_000_000

const BLANK = 0x20
const POINT = 0x2e
const ZERO = 0x30
const COLON = 0x3a
const PLUS = 0x2b

const DATE_LENGTH = 10
const MONTH_LENGTH = 7
/** `2026-03-01 10:00:00` */
const SECONDS_LENGTH = 19
const ZONE_LENGTH = '+00'.length
const MICROS_DIGITS = 6

/** Days of `\d{4}-\d\d-\d\d`, NaN where it is no date. */
export function readDay(bytes: Buffer, start: number, end: number): number {
  return end - start === DATE_LENGTH ? dayAt(bytes, start) : Number.NaN
}

/** Days to the first of `\d{4}-\d\d`, whatever follows; NaN where it is no month. */
export function readMonth(bytes: Buffer, start: number, end: number): number {
  if (end - start < MONTH_LENGTH || !isMonth(bytes, start)) return Number.NaN
  return dayOf(yearAt(bytes, start), readTwo(bytes, start + 5), 1)
}

/** Microseconds; NaN where it is not `\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00`, or too far from 1970 for a safe integer. */
export function readMicros(bytes: Buffer, start: number, end: number): number {
  const value = secondsAt(bytes, start, end) * MICROS
  const zone = end - ZONE_LENGTH
  if (zone === start + SECONDS_LENGTH) return Number.isSafeInteger(value) ? value : Number.NaN
  const first = start + SECONDS_LENGTH + 1
  if (bytes[first - 1] !== POINT || zone === first || zone - first > MICROS_DIGITS) {
    return Number.NaN
  }
  let fraction = 0
  for (let place = first; place < first + MICROS_DIGITS; place += 1) {
    const byte = place < zone ? bytes[place]! : ZERO
    if (!isDigit(byte)) return Number.NaN
    fraction = fraction * 10 + byte - ZERO
  }
  return Number.isSafeInteger(value + fraction) ? value + fraction : Number.NaN
}

/** Undefined where it is no instant, null where it is finer than a microsecond. */
export function microsOfText(raw: string): bigint | null | undefined {
  const fraction = /^[^.]{19}(?:\.(\d+))?\+00$/.exec(raw)
  if (!fraction) return undefined
  const seconds = secondsAt(Buffer.from(raw, 'latin1'), 0, raw.length)
  if (Number.isNaN(seconds)) return undefined
  const kept = (fraction[1] ?? '').replace(/0+$/, '')
  if (kept.length > MICROS_DIGITS) return null
  return BigInt(seconds) * BigInt(MICROS) + BigInt(kept.padEnd(MICROS_DIGITS, '0'))
}

/** Whole seconds; a fraction is not looked at. */
function secondsAt(bytes: Buffer, start: number, end: number): number {
  const zone = end - ZONE_LENGTH
  if (
    zone < start + SECONDS_LENGTH ||
    bytes[zone] !== PLUS ||
    bytes[zone + 1] !== ZERO ||
    bytes[zone + 2] !== ZERO ||
    bytes[start + 10] !== BLANK ||
    bytes[start + 13] !== COLON ||
    bytes[start + 16] !== COLON
  ) {
    return Number.NaN
  }
  const hours = twoBelow(24, bytes, start + 11)
  const minutes = twoBelow(60, bytes, start + 14)
  const seconds = twoBelow(60, bytes, start + 17)
  return dayAt(bytes, start) * DAY_SECONDS + hours * 3600 + minutes * 60 + seconds
}

function twoBelow(limit: number, bytes: Buffer, at: number): number {
  if (!isDigit(bytes[at]!) || !isDigit(bytes[at + 1]!)) return Number.NaN
  const value = readTwo(bytes, at)
  return value < limit ? value : Number.NaN
}

function dayAt(bytes: Buffer, at: number): number {
  if (!isMonth(bytes, at) || !isDay(bytes, at + MONTH_LENGTH)) return Number.NaN
  return dayOf(yearAt(bytes, at), readTwo(bytes, at + 5), readTwo(bytes, at + 8))
}

function yearAt(bytes: Buffer, at: number): number {
  return readTwo(bytes, at) * 100 + readTwo(bytes, at + 2)
}

/**
 * NaN where the calendar has no such day.
 * @see https://howardhinnant.github.io/date_algorithms.html#days_from_civil
 */
function dayOf(year: number, month: number, day: number): number {
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return Number.NaN
  // Years begin in March here, so that the day that comes and goes is the last.
  const marchYear = month > 2 ? year : year - 1
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  return era * 146_097 + yearOfEra * 365 + leapDays + dayOfYear - 719_468
}

function daysOf(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}
