/** Numbers as Excel keeps them, digit for digit and never by way of a float. */
import { copyBytes, isDigit, MINUS, POINT, ZERO } from '../digits.ts'
import { MAX_DIGITS } from './limits.ts'

/** Digits past these change no double, and a quotient of PostgreSQL may have thousands. */
const MAX_WRITTEN_DIGITS = 20

/** Where the point of `-?\d+(\.\d+)?` stands, `end` where it has none; -1 where it is no such number. */
export function pointOf(from: Buffer, start: number, end: number): number {
  let place = from[start] === MINUS && start < end ? start + 1 : start
  const whole = place
  while (place < end && isDigit(from[place]!)) place += 1
  if (place === whole) return -1
  const point = place
  if (point === end) return end
  if (from[point] !== POINT || point + 1 === end) return -1
  for (place += 1; place < end; place += 1) if (!isDigit(from[place]!)) return -1
  return point
}

/** Whether the whole part, from `start` to `point`, is more than Excel's numbers keep. */
export function isTooLong(from: Buffer, start: number, point: number): boolean {
  // why: most are short, whatever is in front
  if (point - start <= MAX_DIGITS) return false
  let first = from[start] === MINUS ? start + 1 : start
  while (first < point && from[first] === ZERO) first += 1
  return point - first > MAX_DIGITS
}

/** Writes the number a hundred times smaller, `1234.56` for `123456` and `0.125` for `12.5`. */
export function writeHundredth(
  from: Buffer,
  start: number,
  point: number,
  end: number,
  to: Buffer,
  at: number,
): number {
  let place = start
  if (from[place] === MINUS) {
    to[at++] = MINUS
    place += 1
  }
  const newPoint = point - 2
  if (newPoint <= place) to[at++] = ZERO
  while (place < newPoint) to[at++] = from[place++]!
  to[at++] = POINT
  for (let missing = newPoint; missing < place; missing += 1) to[at++] = ZERO
  while (place < point) to[at++] = from[place++]!
  return copyBytes(from, point + 1, lastOf(from, start, point, end), to, at)
}

/** Writes a number as it is, but for digits that no double has. */
export function writeDecimal(
  from: Buffer,
  start: number,
  point: number,
  end: number,
  to: Buffer,
  at: number,
): number {
  const whole = copyBytes(from, start, point, to, at)
  if (point === end) return whole
  to[whole] = POINT
  return copyBytes(from, point + 1, lastOf(from, start, point, end), to, whole + 1)
}

/** Where the digits end that are written. */
function lastOf(from: Buffer, start: number, point: number, end: number): number {
  // why: nearly all are shorter
  if (end - start <= MAX_WRITTEN_DIGITS) return end
  let place = start
  while (place < point && (from[place] === ZERO || from[place] === MINUS)) place += 1
  if (place === point) {
    place += 1
    while (place < end && from[place] === ZERO) place += 1
    return Math.min(end, place + MAX_WRITTEN_DIGITS)
  }
  return Math.max(point + 1, Math.min(end, place + MAX_WRITTEN_DIGITS + 1))
}

/** Writes a whole number, with zeros in front where it has fewer digits. */
export function writeWhole(
  value: number,
  to: Buffer,
  at: number,
  digits = digitsOf(value),
): number {
  let rest = value
  for (let place = at + digits - 1; place >= at; place -= 1) {
    const tenth = Math.floor(rest / 10)
    to[place] = ZERO + rest - tenth * 10
    rest = tenth
  }
  return at + digits
}

function digitsOf(value: number): number {
  let digits = 1
  for (let limit = 10; value >= limit; limit *= 10) digits += 1
  return digits
}
