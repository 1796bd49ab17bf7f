/**
 * One field that is no text, as machines read it: digits as they are, never by way of a float; dates as ISO 8601
 * has them. Knows no quotes.
 */
import type { ColumnType, MetricFormat } from '../../model/terms.ts'
import { copyBytes, isDay, isDigit, isMonth, MINUS, POINT } from './digits.ts'
import type { WriteBytes } from './format.ts'
import { createLocalInstant } from './local-instant.ts'

/** Beside a field's own bytes: quotes, `T`, `+03:00` instead of `+00`. */
export const MOST_ADDED_BYTES = 16

export function createWritePlain(
  type: Exclude<ColumnType, 'text'> | MetricFormat,
  timeZone: string,
): WriteBytes {
  switch (type) {
    case 'integer':
    case 'money':
      return writeInteger
    case 'number':
    case 'percent':
    case 'days':
    case 'hours':
      return writeDecimal
    case 'date':
      return writeDate
    case 'month':
      return writeMonth
    case 'datetime':
      return createLocalInstant(timeZone)
  }
}

/** `-?\d+` */
export const writeInteger: WriteBytes = ({ bytes: from }, start, end, { bytes: to }, at) => {
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

/** `-?\d+(\.\d+)?` */
const writeDecimal: WriteBytes = (from, start, end, to, at) => {
  const { bytes } = from
  let whole = start
  while (whole < end && bytes[whole] !== POINT) whole += 1
  const written = writeInteger(from, start, whole, to, at)
  if (written < 0 || whole === end) return written
  // why: no sign after the point
  if (bytes[whole + 1] === MINUS) return -1
  to.bytes[written] = POINT
  return writeInteger(from, whole + 1, end, to, written + 1)
}

/** `\d{4}-\d\d-\d\d` */
const writeDate: WriteBytes = ({ bytes: from }, start, end, { bytes: to }, at) => {
  const isDate = end - start === 10 && isMonth(from, start) && isDay(from, start + 7)
  return isDate ? copyBytes(from, start, end, to, at) : -1
}

/** `\d{4}-\d\d`, and whatever follows is left out. */
const writeMonth: WriteBytes = ({ bytes: from }, start, end, { bytes: to }, at) =>
  end - start >= 7 && isMonth(from, start) ? copyBytes(from, start, start + 7, to, at) : -1
