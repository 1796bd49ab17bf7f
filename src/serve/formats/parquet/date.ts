/** Converts PostgreSQL's dates and UTC instants to days and microseconds since 1970; NaN for other text. */
import { dayNumber } from '../day-number.ts'
import { isMonth, isUtcInstant, readMinutes, readTwo } from '../digits.ts'
import { SECONDS_LENGTH, ZERO, ZONE_LENGTH } from '../digits.ts'

const DAY_SECONDS = 86_400
const MICROS = 1_000_000
const MICROS_DIGITS = 6

/** Days from `\d{4}-\d\d-\d\d`. */
export function readDay(from: Buffer, start: number, end: number): number {
  return end - start === 10 ? dayNumber(from.toString('latin1', start, end)) : Number.NaN
}

/** Days from 1970 to the first day of the month `\d{4}-\d\d`; the rest is ignored. */
export function readMonth(from: Buffer, start: number, end: number): number {
  if (end - start < 7 || !isMonth(from, start)) return Number.NaN
  return dayNumber(`${from.toString('latin1', start, start + 7)}-01`)
}

/** Microseconds; null if the fraction is finer. A bigint if the value is not a safe integer. */
export function readMicros(from: Buffer, start: number, end: number): number | bigint | null {
  if (!isUtcInstant(from, start, end)) return Number.NaN
  const day = dayNumber(from.toString('latin1', start, start + 10))
  const minutes = readMinutes(from, start + 11)
  const seconds = day * DAY_SECONDS + minutes * 60 + readTwo(from, start + 17)
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
