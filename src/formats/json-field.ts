/** One field as a JSON value. Digits pass through as they are, never by way of a float. */
import { viewOf, type Viewed } from '../row-bytes.ts'
import type { ColumnType, MetricFormat, RawField } from '../terms.ts'
import { isDay, isDigit, isMonth, MINUS } from './digits.ts'
import { FieldError, type WriteBytes } from './format.ts'
import { escapedLength, MOST_ESCAPED_BYTES, writeJsonText } from './json-text.ts'
import { createLocalInstant } from './local-instant.ts'

/** Beside a field's own bytes, and its escapes: quotes, `T`, `+03:00` instead of `+00`. */
export const MOST_ADDED_BYTES = 16

/** @throws FieldError if the field is not of the type. */
export type JsonField = (raw: RawField) => string

/** @param name of the column or metric, for messages. */
export function createJsonField(
  name: string,
  type: ColumnType | MetricFormat,
  timeZone: string,
): JsonField {
  const write = createWriteJson(type, timeZone)
  return raw => {
    if (raw === null) return 'null'
    const length = Buffer.byteLength(raw)
    const isShort = length <= SHORT_BYTES
    const from = isShort ? SHORT : viewed(Buffer.allocUnsafe(length))
    from.bytes.write(raw)
    const to = isShort
      ? ROOM
      : viewed(Buffer.allocUnsafe(escapedLength(from.bytes, 0, length) + MOST_ADDED_BYTES))
    const end = write(from, 0, length, to, 0)
    if (end < 0) throw fieldError(name, type, raw)
    return to.bytes.toString('utf8', 0, end)
  }
}

/** Totals and metrics are short, and buffers of their own would take longer than to write them. */
const SHORT_BYTES = 128
const SHORT = viewed(Buffer.alloc(SHORT_BYTES))
const ROOM = viewed(Buffer.alloc(SHORT_BYTES * MOST_ESCAPED_BYTES + MOST_ADDED_BYTES))

function viewed(bytes: Buffer): Viewed {
  return { bytes, view: viewOf(bytes) }
}

export function fieldError(name: string, type: ColumnType | MetricFormat, raw: string): FieldError {
  return new FieldError(`${name}: ${JSON.stringify(raw)} is no ${type}`)
}

/** Answers the field as JSON. */
export function createWriteJson(type: ColumnType | MetricFormat, timeZone: string): WriteBytes {
  switch (type) {
    case 'text':
      return writeJsonText
    case 'integer':
    case 'money':
      return (from, start, end, to, at) => writeInteger(from.bytes, start, end, to.bytes, at)
    case 'number':
    case 'percent':
    case 'days':
    case 'hours':
      return (from, start, end, to, at) => writeDecimal(from.bytes, start, end, to.bytes, at)
    case 'date':
      return (from, start, end, to, at) => writeDate(from.bytes, start, end, to.bytes, at)
    case 'month':
      return (from, start, end, to, at) => writeMonth(from.bytes, start, end, to.bytes, at)
    case 'datetime': {
      const writeInstant = createLocalInstant(timeZone)
      return (from, start, end, to, at) => {
        to.bytes[at] = QUOTE
        const written = writeInstant(from, start, end, to, at + 1)
        if (written < 0) return -1
        to.bytes[written] = QUOTE
        return written + 1
      }
    }
  }
}

const QUOTE = 0x22
const POINT = 0x2e

/** `-?\d+` */
function writeInteger(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
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
function writeDecimal(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  let point = start
  while (point < end && from[point] !== POINT) point += 1
  const whole = writeInteger(from, start, point, to, at)
  if (whole < 0 || point === end) return whole
  // why: no sign after the point
  if (from[point + 1] === MINUS) return -1
  to[whole] = POINT
  return writeInteger(from, point + 1, end, to, whole + 1)
}

/** `\d{4}-\d\d-\d\d` */
function writeDate(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  const fits = end - start === 10 && isMonth(from, start) && isDay(from, start + 7)
  return fits ? writeQuoted(from, start, end, to, at) : -1
}

/** `\d{4}-\d\d`, and whatever follows is left out. */
function writeMonth(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  const fits = end - start >= 7 && isMonth(from, start)
  return fits ? writeQuoted(from, start, start + 7, to, at) : -1
}

function writeQuoted(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  to[at++] = QUOTE
  for (let place = start; place < end; place += 1) to[at++] = from[place]!
  to[at++] = QUOTE
  return at
}
