/** Writes one field as a JSON value. Digits are copied, never converted to a float. */
import type { ColumnType, MetricFormat, RawField } from '../../../model/terms.ts'
import { isDateType } from '../date-range.ts'
import { createEscaping, type Escape } from '../escaped-text.ts'
import { fieldError, type WriteBytes } from '../format.ts'
import { createWritePlain } from '../plain-field.ts'
import { textOf } from '../text-row.ts'
import { escapedLineEnd } from './json-text.ts'

/**
 * @param name of the column or metric, for messages
 * @returns a function that throws FieldError if the field is not of the type
 */
export function createJsonField(
  name: string,
  type: ColumnType | MetricFormat,
  timeZone: string,
): (raw: RawField) => string {
  const write = createWriteJson(type, timeZone)
  const quote = isQuotedInJson(type) ? '"' : ''
  return raw => {
    if (raw === null) return 'null'
    const written = textOf(raw, write, JSON_ESCAPING)
    if (written === undefined) throw fieldError(name, type, raw)
    return `${quote}${written}${quote}`
  }
}

/** U+0085 is `c2 85`. */
const NEXT_LINE: Escape = {
  byteCount: 2,
  length: '\\u0085'.length,
  find: (from, index, end) =>
    index + 2 <= end && from[index + 1] === 0x85 ? ESCAPED_NEXT_LINE : undefined,
}
const ESCAPED_NEXT_LINE = Buffer.from(escapedLineEnd('\u0085'))

/** U+2028 and U+2029 are `e2 80 a8` and `e2 80 a9`. */
const SEPARATOR: Escape = {
  byteCount: 3,
  length: '\\u2028'.length,
  find(from, index, end) {
    if (index + 3 > end || from[index + 1] !== 0x80) return undefined
    return ESCAPED_SEPARATORS[from[index + 2]! - 0xa8]
  },
}
const ESCAPED_SEPARATORS = ['\u2028', '\u2029'].map(one => Buffer.from(escapedLineEnd(one)))

/** As `jsonText`, in UTF-8. */
export const JSON_ESCAPING = createEscaping(
  Array.from({ length: 256 }, (_, byte) => {
    if (byte === 0xc2) return NEXT_LINE
    if (byte === 0xe2) return SEPARATOR
    // why: other bytes above ASCII are parts of characters
    const escaped = byte < 0x80 ? JSON.stringify(String.fromCharCode(byte)).slice(1, -1) : ''
    return escaped.length > 1 ? Buffer.from(escaped) : undefined
  }),
)

export function isQuotedInJson(type: ColumnType | MetricFormat): boolean {
  return type === 'text' || isDateType(type)
}

/** The returned function writes no quotes. */
export function createWriteJson(type: ColumnType | MetricFormat, timeZone: string): WriteBytes {
  return type === 'text' ? JSON_ESCAPING.write : createWritePlain(type, timeZone)
}
