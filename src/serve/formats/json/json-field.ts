/** Writes one field as a JSON value. Digits are copied, never converted to a float. */
import type { ColumnType, MetricFormat, RawField } from '../../../model/terms.ts'
import { isDateType } from '../date-range.ts'
import { createEscaping } from '../escaped-text.ts'
import { fieldError, type WriteBytes } from '../format.ts'
import { createWritePlain } from '../plain-field.ts'
import { textOf } from '../text-row.ts'

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

/** As JSON.stringify, in UTF-8. */
export const JSON_ESCAPING = createEscaping(
  Array.from({ length: 256 }, (_, byte) => {
    // why: bytes above ASCII are parts of characters
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
