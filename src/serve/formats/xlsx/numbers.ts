/** Numbers as Excel keeps them, digit for digit and never by way of a float; days and times are numbers, too. */
import { MINUS, POINT, readMinutes, readTwo, readYear, ZERO } from '../digits.ts'
import { dayNumber } from '../day-number.ts'

/** Excel's numbers keep so many; the next digit would become a zero. */
const MAX_DIGITS = 15

/** Digits past these change no double, and a quotient of PostgreSQL may have thousands. */
const MAX_WRITTEN_DIGITS = 20

/** Whether the whole part, from `start` to `point`, is more than Excel's numbers keep. */
export function isTooLong(from: Buffer, start: number, point: number): boolean {
  // why: most are short, whatever is in front
  if (point - start <= MAX_DIGITS) return false
  let first = from[start] === MINUS ? start + 1 : start
  while (first < point && from[first] === ZERO) first += 1
  return point - first > MAX_DIGITS
}

/** Where the digits end that are written. */
export function lastOf(from: Buffer, start: number, point: number, end: number): number {
  // why: nearly all are shorter
  if (end - start <= MAX_WRITTEN_DIGITS) return end
  let place = start
  while (place < point && (from[place] === ZERO || from[place] === MINUS)) place += 1
  if (place === point) {
    place += 1
    while (place < end && from[place] === ZERO) place += 1
    return Math.min(end, place + MAX_WRITTEN_DIGITS)
  }
  return Math.min(end, Math.max(point + 1, place + MAX_WRITTEN_DIGITS + 1))
}

/** Writes a whole number, with zeros in front where it has fewer digits. */
export function writeWhole(value: number, to: Buffer, at: number, digits = 1): number {
  let end = at + digits
  for (let limit = 10 ** digits; value >= limit; limit *= 10) end += 1
  for (let rest = value, place = end - 1; place >= at; place -= 1) {
    const tenth = Math.floor(rest / 10)
    to[place] = ZERO + rest - tenth * 10
    rest = tenth
  }
  return end
}

/** Days from Excel's beginning, 1899-12-30, to 1970; Excel thinks that there was a 1900-02-29. */
const UNIX_DAY = 25_569
/** 1900-03-01; before it programs do not agree on the day. */
const FIRST_DAY = 61

/**
 * The day of the `2026-03` at a place; NaN where there is none, -1 where Excel has no number for it.
 * @see ECMA-376 part 1, 18.17.4.1
 */
export function excelDay(from: Buffer, at: number, day: number): number {
  const month = readTwo(from, at + 5)
  if (month < 1 || month > 12 || day < 1 || day > 31) return Number.NaN
  const number = dayNumber(readYear(from, at), month, day) + UNIX_DAY
  return number < FIRST_DAY ? -1 : number
}

const DAY_MS = 86_400_000

/** Milliseconds of a day, by its `23:59:59.5`: Excel knows nothing shorter. */
export function readMs(from: Buffer, at: number, end: number): number {
  let ms = (readMinutes(from, at) * 60 + readTwo(from, at + 6)) * 1000
  for (let place = at + 9, worth = 100; place < end && worth >= 1; place += 1) {
    ms += (from[place]! - ZERO) * worth
    worth /= 10
  }
  return ms
}

/** Of a day, as its fraction; a digit less, and its milliseconds would not be found again. */
const FRACTION_DIGITS = 11
const FRACTIONS_OF_DAY = 1e11

/** `46082.54166666667` */
export function writeTime(day: number, ms: number, to: Buffer, at: number): number {
  const point = writeWhole(day, to, at)
  if (ms === 0) return point
  to[point] = POINT
  const fraction = Math.round((ms / DAY_MS) * FRACTIONS_OF_DAY)
  return writeWhole(fraction, to, point + 1, FRACTION_DIGITS)
}
