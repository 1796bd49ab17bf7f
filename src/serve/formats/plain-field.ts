/**
 * One field that is no text, as machines read it: digits as they are, never by way of a float; dates as ISO 8601
 * has them. Knows no quotes.
 */
import { isDay, isDigit, isMonth, MINUS } from './digits.ts'

/** Beside a field's own bytes: quotes, `T`, `+03:00` instead of `+00`. */
export const MOST_ADDED_BYTES = 16

const POINT = 0x2e

/** `-?\d+` */
export function writeInteger(
  from: Buffer,
  start: number,
  end: number,
  to: Buffer,
  at: number,
): number {
  let place = start
  if (place < end && from[place] === MINUS) {
    to[at++] = MINUS
    place += 1
  }
  if (place === end) return -1
  for (; place < end; place += 1) {
    const byte = from[place]!
    if (!isDigit(byte)) return -1
    to[at++] = byte
  }
  return at
}

/**
 * `-?\d+(\.\d+)?`
 * @param point what is written for it
 */
export function writeDecimal(
  from: Buffer,
  start: number,
  end: number,
  to: Buffer,
  at: number,
  point: number = POINT,
): number {
  let whole = start
  while (whole < end && from[whole] !== POINT) whole += 1
  const written = writeInteger(from, start, whole, to, at)
  if (written < 0 || whole === end) return written
  // why: no sign after the point
  if (from[whole + 1] === MINUS) return -1
  to[written] = point
  return writeInteger(from, whole + 1, end, to, written + 1)
}

/** `\d{4}-\d\d-\d\d` */
export function writeDate(
  from: Buffer,
  start: number,
  end: number,
  to: Buffer,
  at: number,
): number {
  const fits = end - start === 10 && isMonth(from, start) && isDay(from, start + 7)
  return fits ? copy(from, start, end, to, at) : -1
}

/** `\d{4}-\d\d`, and whatever follows is left out. */
export function writeMonth(
  from: Buffer,
  start: number,
  end: number,
  to: Buffer,
  at: number,
): number {
  const fits = end - start >= 7 && isMonth(from, start)
  return fits ? copy(from, start, start + 7, to, at) : -1
}

function copy(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  for (let place = start; place < end; place += 1) to[at++] = from[place]!
  return at
}
