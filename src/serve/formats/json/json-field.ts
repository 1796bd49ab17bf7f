/** One field as a JSON value. Digits pass through as they are, never by way of a float. */
import type { ColumnType, MetricFormat, RawField } from '../../../model/terms.ts'
import { isDateType } from '../date-range.ts'
import { createEscaping } from '../escaped-text.ts'
import { fieldError, type WriteBytes } from '../format.ts'
import { createWritePlain } from '../plain-field.ts'
import { writtenFor } from '../text-row.ts'

/**
 * @param name of the column or metric, for messages
 * @returns what throws FieldError if the field is not of the type
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
    const written = writtenFor(raw, write, JSON_ESCAPING)
    if (written === undefined) throw fieldError(name, type, raw)
    return `${quote}${written}${quote}`
  }
}

/** In UTF-8, as JSON.stringify would have it. */
export const JSON_ESCAPING = createEscaping(
  Array.from({ length: 256 }, (_, byte) => {
    // why: above ASCII a byte is a part of a character
    const escaped = byte < 0x80 ? JSON.stringify(String.fromCharCode(byte)).slice(1, -1) : ''
    return escaped.length > 1 ? Buffer.from(escaped) : undefined
  }),
)

export function isQuotedInJson(type: ColumnType | MetricFormat): boolean {
  return type === 'text' || isDateType(type)
}

/** What it answers writes no quotes. */
export function createWriteJson(type: ColumnType | MetricFormat, timeZone: string): WriteBytes {
  return type === 'text' ? JSON_ESCAPING.write : createWritePlain(type, timeZone)
}
