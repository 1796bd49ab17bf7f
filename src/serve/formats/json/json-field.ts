/** One field as a JSON value. Digits pass through as they are, never by way of a float. */
import { viewOf, type Viewed } from '../../../model/row-bytes.ts'
import type { ColumnType, MetricFormat, RawField } from '../../../model/terms.ts'
import { fieldError, type WriteBytes } from '../format.ts'
import { jsonLength, MOST_ESCAPED_BYTES, writeJsonText } from './json-text.ts'
import { isDateType } from '../date-range.ts'
import { createWritePlain, MOST_ADDED_BYTES } from '../plain-field.ts'

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
      : viewed(Buffer.allocUnsafe(jsonLength(from.bytes, 0, length) + MOST_ADDED_BYTES))
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

/** Answers the field as JSON. */
export function createWriteJson(type: ColumnType | MetricFormat, timeZone: string): WriteBytes {
  if (type === 'text') return writeJsonText
  const write = createWritePlain(type, timeZone)
  return isDateType(type) ? inQuotes(write) : write
}

const QUOTE = 0x22

function inQuotes(write: WriteBytes): WriteBytes {
  return (from, start, end, to, at) => {
    const written = write(from, start, end, to, at + 1)
    if (written < 0) return -1
    to.bytes[at] = QUOTE
    to.bytes[written] = QUOTE
    return written + 1
  }
}
