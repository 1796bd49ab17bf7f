/** Writes fields, rows and totals as JSON. Digits are copied, never converted to a float. */
import type { ReportDefinition } from '../../../definitions/definition.ts'
import { rawField, type RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes, ColumnType, MetricFormat, RawField } from '../../../model/terms.ts'
import { QUOTE } from '../digits.ts'
import { fieldError, type Ending, type WriteBytes } from '../format.ts'
import { PIECE_OVERHANG, pieceOf, writePiece, type Piece } from '../four-bytes.ts'
import type { Output } from '../output.ts'
import { perDefinition } from '../per-definition.ts'
import { createPlainText, createWritePlain, MAX_ADDED_BYTES } from '../plain-field.ts'
import { totalsOf } from '../text-row.ts'
import { isDateType } from '../value-end.ts'
import { jsonText, reserveEscaped, writeEscaped } from './json-text.ts'

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

function isQuotedInJson(type: ColumnType | MetricFormat): boolean {
  return type === 'text' || isDateType(type)
}

/** The returned function writes no quotes. */
function createWriteJson(type: ColumnType | MetricFormat, timeZone: string): WriteBytes {
  return type === 'text' ? writeEscaped : createWritePlain(type, timeZone)
}

export const OPENING_BRACE = pieceOf('{')
export const CLOSING_BRACE = pieceOf('}')
/** Braces and separators of a row. */
const MAX_AROUND_BYTES: Bytes = 8 + PIECE_OVERHANG

/**
 * @param before ends with the opening brace
 * @param after begins with the closing one
 * @throws FieldError if a field is not of its column's type
 */
type WriteObject = (
  output: Output,
  row: RowBytes,
  indexes: readonly number[],
  before: Piece,
  after: Piece,
) => void

export const writeObjectOf = perDefinition(({ columns }, timeZone): WriteObject => {
  const members = columns.map(({ key, type }, at) => {
    const name = `${at === 0 ? '' : ','}${JSON.stringify(key)}:`
    const isQuoted = isQuotedInJson(type)
    return {
      key,
      type,
      name: pieceOf(isQuoted ? `${name}"` : name),
      ifNull: pieceOf(`${name}null`),
      isQuoted,
      write: createWriteJson(type, timeZone),
    }
  })
  const extraBytes = members.reduce(
    (sum, { ifNull }) => sum + ifNull.length + MAX_ADDED_BYTES,
    MAX_AROUND_BYTES,
  )

  return (output, row, indexes, before, after) => {
    reserveEscaped(output, row, extraBytes)
    const { starts, ends } = row
    let at = writePiece(before, output, output.length)
    for (let columnIndex = 0; columnIndex < members.length; columnIndex += 1) {
      const { name, ifNull, isQuoted, write, key, type } = members[columnIndex]!
      const index = indexes[columnIndex]!
      const start = starts[index]!
      if (start < 0) {
        at = writePiece(ifNull, output, at)
        continue
      }
      at = write(row, start, ends[index]!, output, writePiece(name, output, at))
      if (at < 0) throw fieldError(key, type, rawField(row, index))
      if (isQuoted) output.bytes[at++] = QUOTE
    }
    output.length = writePiece(after, output, at)
  }
})
