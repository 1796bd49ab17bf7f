/** Converts PostgreSQL's dates and UTC instants to days and microseconds since 1970; NaN for other text. */
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

/** Days from `\d{4}-\d\d-\d\d`. */
export function readDay(from: Buffer, start: number, end: number): number {
  return end - start === 10 ? dayAt(from, start) : Number.NaN
}

/** Days from 1970 to the first day of the month `\d{4}-\d\d`; the rest is ignored. */
export function readMonth(from: Buffer, start: number, end: number): number {
  return end - start >= 7 && isMonth(from, start) ? existingDay(from, start, 1) : Number.NaN
}

/** Microseconds; null if the fraction is finer. A bigint if the value is not a safe integer. */
export function readMicros(from: Buffer, start: number, end: number): number | bigint | null {
  const seconds = secondsAt(from, start, end)
  if (Number.isNaN(seconds)) return seconds
  const fraction = start + SECONDS_LENGTH + 1
  const zone = end - ZONE_LENGTH
  let micros = 0
  for (let index = fraction; index < fraction + MICROS_DIGITS; index += 1) {
    micros = micros * 10 + (index < zone ? from[index]! - ZERO : 0)
  }
  for (let index = fraction + MICROS_DIGITS; index < zone; index += 1) {
    // why: trailing zeros do not change the value
    if (from[index] !== ZERO) return null
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

/** NaN if the day does not exist. */
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
