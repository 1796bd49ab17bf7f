/** Writes fields as JSON values. Digits are copied, never converted to a float. */
import type { ReportDefinition } from '../../../definitions/definition.ts'
import type { ColumnType, MetricFormat, RawField } from '../../../model/terms.ts'
import { isDateType } from '../value-end.ts'
import { fieldError, type Ending, type WriteBytes } from '../format.ts'
import { perDefinition } from '../per-definition.ts'
import { createPlainText, createWritePlain } from '../plain-field.ts'
import { totalsOf } from '../text-row.ts'
import { writeEscaped } from './json-escaping.ts'
import { jsonText } from './json-text.ts'

/**
 * @param name of the column or metric, for messages
 * @returns a function that throws FieldError if the field is not of the type
 */
export function createJsonField(
  name: string,
  type: ColumnType | MetricFormat,
  timeZone: string,
): (raw: RawField) => string {
  const plainText = type === 'text' ? undefined : createPlainText(type, timeZone)
  const quote = isQuotedInJson(type) ? '"' : ''
  return raw => {
    if (raw === null) return 'null'
    if (plainText === undefined) return jsonText(raw)
    const written = plainText(raw)
    if (written === undefined) throw fieldError(name, type, raw)
    return `${quote}${written}${quote}`
  }
}

/** The totals of the visible columns, as a JSON object. @throws FieldError if one is not of its column's type */
export function totalsJson(
  definition: ReportDefinition,
  timeZone: string,
  totals: Ending['totals'],
): string {
  const members = membersOf(definition, timeZone)
  const raws = totalsOf(definition, totals)
  return `{${raws.map((raw, index) => members[index]!(raw)).join(',')}}`
}

const membersOf = perDefinition(({ columns }, timeZone) =>
  columns.map(({ key, type }) => {
    const name = `${JSON.stringify(key)}:`
    const json = createJsonField(key, type, timeZone)
    return (raw: RawField) => name + json(raw)
  }),
)

export function isQuotedInJson(type: ColumnType | MetricFormat): boolean {
  return type === 'text' || isDateType(type)
}

/** The returned function writes no quotes. */
export function createWriteJson(type: ColumnType | MetricFormat, timeZone: string): WriteBytes {
  return type === 'text' ? writeEscaped : createWritePlain(type, timeZone)
}
