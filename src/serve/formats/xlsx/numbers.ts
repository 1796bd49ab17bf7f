/** Numbers of Excel, including days and times. Digits are copied, never converted to a float. */
import { MINUS, POINT, readMinutes, readTwo, readYear, ZERO } from '../digits.ts'
import { dayNumber } from '../day-number.ts'

/** Excel's precision; further digits would become zeros. */
const MAX_DIGITS = 15

/** More digits do not change a double; a quotient of PostgreSQL may have thousands. */
const MAX_WRITTEN_DIGITS = 20

/** Whether the integer part, from `start` to `point`, exceeds Excel's precision. */
export function isTooLong(from: Buffer, start: number, point: number): boolean {
  // why: the common case, in which sign and leading zeros do not matter
  if (point - start <= MAX_DIGITS) return false
  let first = from[start] === MINUS ? start + 1 : start
  while (first < point && from[first] === ZERO) first += 1
  return point - first > MAX_DIGITS
}

/** The end of the digits that are written. */
export function lastOf(from: Buffer, start: number, point: number, end: number): number {
  // why: the common case
  if (end - start <= MAX_WRITTEN_DIGITS) return end
  let index = start
  while (index < point && (from[index] === ZERO || from[index] === MINUS)) index += 1
  if (index === point) {
    index += 1
    while (index < end && from[index] === ZERO) index += 1
    return Math.min(end, index + MAX_WRITTEN_DIGITS)
  }
  return Math.min(end, Math.max(point + 1, index + MAX_WRITTEN_DIGITS + 1))
}

/** Writes a whole number with at least `digits` digits, padded with zeros. */
export function writeWhole(value: number, to: Buffer, at: number, digits = 1): number {
  let end = at + digits
  for (let limit = 10 ** digits; value >= limit; limit *= 10) end += 1
  for (let rest = value, index = end - 1; index >= at; index -= 1) {
    const tenth = Math.floor(rest / 10)
    to[index] = ZERO + rest - tenth * 10
    rest = tenth
  }
  return end
}

/** Days from Excel's epoch, 1899-12-30, to 1970; Excel counts a day 1900-02-29, which did not exist. */
const UNIX_DAY = 25_569
/** 1900-03-01; programs disagree on earlier days. */
const FIRST_DAY = 61

/**
 * Excel's serial number of a date: the year and month, such as `2026-03`, are read at the offset `at`. NaN if the date
 * is invalid, -1 if Excel has no number for it.
 * @see ECMA-376 part 1, 18.17.4.1
 */
export function excelDay(from: Buffer, at: number, day: number): number {
  const month = readTwo(from, at + 5)
  if (month < 1 || month > 12 || day < 1 || day > 31) return Number.NaN
  const number = dayNumber(readYear(from, at), month, day) + UNIX_DAY
  return number < FIRST_DAY ? -1 : number
}

const DAY_MS = 86_400_000

/** Milliseconds since midnight, read from a text such as `23:59:59.5`; Excel has no finer times. */
export function readMs(from: Buffer, at: number, end: number): number {
  let ms = (readMinutes(from, at) * 60 + readTwo(from, at + 6)) * 1000
  for (let index = at + 9, worth = 100; index < end && worth >= 1; index += 1) {
    ms += (from[index]! - ZERO) * worth
    worth /= 10
  }
  return ms
}

/** Digits of the fraction of a day; with fewer, milliseconds would be lost. */
const FRACTION_DIGITS = 11
const FRACTIONS_OF_DAY = 1e11

/** Writes `46082.54166666667`. */
export function writeTime(day: number, ms: number, to: Buffer, at: number): number {
  const point = writeWhole(day, to, at)
  if (ms === 0) return point
  to[point] = POINT
  const fraction = Math.round((ms / DAY_MS) * FRACTIONS_OF_DAY)
  return writeWhole(fraction, to, point + 1, FRACTION_DIGITS)
}
