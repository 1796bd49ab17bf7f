/** PostgreSQL's dates and UTC instants as days and microseconds since 1970; NaN where a field is none. Knows no time zone. */
import { dayNumber } from '../day-number.ts'
import {
  isDay,
  isMonth,
  isUtcInstant,
  readTwo,
  readYear,
  SECONDS_LENGTH,
  ZERO,
  ZONE_LENGTH,
} from '../digits.ts'

const DAY_SECONDS = 86_400
const MICROS = 1_000_000
const MICROS_DIGITS = 6

/** Days of `\d{4}-\d\d-\d\d`. */
export function readDay(from: Buffer, start: number, end: number): number {
  return end - start === 10 ? dayAt(from, start) : Number.NaN
}

/** Days to the first of `\d{4}-\d\d`, whatever follows. */
export function readMonth(from: Buffer, start: number, end: number): number {
  return end - start >= 7 && isMonth(from, start) ? existingDay(from, start, 1) : Number.NaN
}

/** Microseconds; null where it is finer. A bigint is no safe integer. */
export function readMicros(from: Buffer, start: number, end: number): number | bigint | null {
  const seconds = secondsAt(from, start, end)
  if (Number.isNaN(seconds)) return seconds
  const fraction = start + SECONDS_LENGTH + 1
  const zone = end - ZONE_LENGTH
  let micros = 0
  for (let place = fraction; place < fraction + MICROS_DIGITS; place += 1) {
    micros = micros * 10 + (place < zone ? from[place]! - ZERO : 0)
  }
  for (let place = fraction + MICROS_DIGITS; place < zone; place += 1) {
    // why: zeros at the end say nothing
    if (from[place] !== ZERO) return null
  }
  const value = seconds * MICROS + micros
  if (Number.isSafeInteger(value)) return value
  return BigInt(seconds) * BigInt(MICROS) + BigInt(micros)
}

/** Whole seconds. */
function secondsAt(from: Buffer, start: number, end: number): number {
  if (!isUtcInstant(from, start, end)) return Number.NaN
  const hours = readTwo(from, start + 11)
  const minutes = readTwo(from, start + 14)
  const seconds = readTwo(from, start + 17)
  if (hours > 23 || minutes > 59 || seconds > 59) return Number.NaN
  return dayAt(from, start) * DAY_SECONDS + hours * 3600 + minutes * 60 + seconds
}

function dayAt(from: Buffer, at: number): number {
  if (!isMonth(from, at) || !isDay(from, at + 7)) return Number.NaN
  return existingDay(from, at, readTwo(from, at + 8))
}

/** NaN where the calendar has no such day. */
function existingDay(from: Buffer, at: number, day: number): number {
  const year = readYear(from, at)
  const month = readTwo(from, at + 5)
  const exists = month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
  return exists ? dayNumber(year, month, day) : Number.NaN
}

function daysOf(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}
