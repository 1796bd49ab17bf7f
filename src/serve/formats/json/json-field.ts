/** Writes texts, fields, rows and totals as JSON. Digits are copied, never converted to a float. */
import type {
  Parameter,
  ParameterValues,
  ReportDefinition,
} from '../../../definitions/definition.ts'
import { valueJson } from '../../../definitions/parameter-value.ts'
import { rawField, type RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes, ColumnType, MetricFormat, RawField } from '../../../model/terms.ts'
import { copyAll, QUOTE } from '../digits.ts'
import { fieldError, IN_ORDER, onceFor, totalsRow } from '../format.ts'
import type { Ending, WriteBytes } from '../format.ts'
import { reserve, type Output } from '../output.ts'
import { createPlainText, createWritePlain, MAX_ADDED_BYTES, isDateType } from '../plain-field.ts'

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

/** The member `parameters` with a comma: `"parameters":{"kind":"income"},`; empty if all values are null. */
export function parametersJson(
  parameters: readonly Parameter[],
  values: ParameterValues = new Map(),
): string {
  const members = parameters.flatMap(({ name, type }) => {
    const value = values.get(name) ?? null
    return value === null ? [] : [`"${name}":${valueJson(type, value)}`]
  })
  return members.length === 0 ? '' : `"parameters":{${members.join(',')}},`
}

function isQuotedInJson(type: ColumnType | MetricFormat): boolean {
  return type === 'text' || isDateType(type)
}

/** The returned function writes no quotes. */
function createWriteJson(type: ColumnType | MetricFormat, timeZone: string): WriteBytes {
  return type === 'text' ? writeEscaped : createWritePlain(type, timeZone)
}

export const OPENING_BRACE = Buffer.from('{')
export const CLOSING_BRACE = Buffer.from('}')
/** Braces and separators of a row. */
const MAX_AROUND_BYTES: Bytes = 8

/**
 * @param before ends with the opening brace
 * @param after begins with the closing one
 * @throws FieldError if a field is not of its column's type
 */
type WriteObject = (
  output: Output,
  row: RowBytes,
  indexes: readonly number[],
  before: Buffer,
  after: Buffer,
) => void

export const writeObjectOf = onceFor(({ columns }, timeZone): WriteObject => {
  const members = columns.map(({ key, type }, at) => {
    const name = `${at === 0 ? '' : ','}${JSON.stringify(key)}:`
    const isQuoted = isQuotedInJson(type)
    return {
      key,
      type,
      name: Buffer.from(isQuoted ? `${name}"` : name),
      ifNull: Buffer.from(`${name}null`),
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
    let at = copyAll(before, output.bytes, output.length)
    for (let columnIndex = 0; columnIndex < members.length; columnIndex += 1) {
      const { name, ifNull, isQuoted, write, key, type } = members[columnIndex]!
      const index = indexes[columnIndex]!
      const start = starts[index]!
      if (start < 0) {
        at = copyAll(ifNull, output.bytes, at)
        continue
      }
      at = write(row, start, ends[index]!, output, copyAll(name, output.bytes, at))
      if (at < 0) throw fieldError(key, type, rawField(row, index))
      if (isQuoted) output.bytes[at++] = QUOTE
    }
    output.length = copyAll(after, output.bytes, at)
  }
})

/** Writes the totals of the visible columns as an object. @throws FieldError if one is not of its column's type */
export function writeTotals(
  output: Output,
  definition: ReportDefinition,
  timeZone: string,
  totals: Ending['totals'],
): void {
  const row = totalsRow(definition, totals)
  writeObjectOf(definition, timeZone)(output, row, IN_ORDER, OPENING_BRACE, CLOSING_BRACE)
}

export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(LINE_ENDS, escapedLineEnd)
}

const LINE_ENDS = /[\u0085\u2028\u2029]/g

function escapedLineEnd(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const FIRST_OF_TWO = 0xc2
const FIRST_OF_THREE = 0xe2

/** Length of an escaped byte. */
const MAX_ESCAPED_BYTES = '\\u0000'.length

/** U+0085 is `c2 85`, U+2028 and U+2029 are `e2 80 a8` and `e2 80 a9`. */
const [NEXT_LINE, ...SEPARATORS] = ['\u0085', '\u2028', '\u2029'].map(character =>
  Buffer.from(escapedLineEnd(character)),
)

/** The replacement of each byte; empty for a byte that may begin a line end. */
const ESCAPES = Array.from({ length: 256 }, (_, byte) => {
  if (byte === FIRST_OF_TWO || byte === FIRST_OF_THREE) return Buffer.alloc(0)
  // why: other bytes above ASCII are parts of characters
  const escaped = byte < 0x80 ? JSON.stringify(String.fromCharCode(byte)).slice(1, -1) : ''
  return escaped.length > 1 ? Buffer.from(escaped) : undefined
})

/** @param extraBytes written in addition to the escaped fields of the row */
function reserveEscaped(output: Output, row: RowBytes, extraBytes: Bytes): void {
  const { bytes, start, end } = row
  let needed = extraBytes + (end - start) * MAX_ESCAPED_BYTES
  if (output.length + needed <= output.bytes.length) return
  // why: the estimate for a large row is far too high
  needed = extraBytes + end - start
  for (let index = start; index < end; index += 1) {
    if (ESCAPES[bytes[index]!] !== undefined) needed += MAX_ESCAPED_BYTES - 1
  }
  reserve(output, needed)
}

/** Writes text as `jsonText` does, without quotes. Bytes to bytes. */
const writeEscaped: WriteBytes = ({ bytes }, start, end, { bytes: to }, at) => {
  for (let index = start; index < end; index += 1) {
    const byte = bytes[index]!
    const escaped = ESCAPES[byte]
    if (escaped === undefined) to[at++] = byte
    else if (escaped.length > 0) at = copyAll(escaped, to, at)
    else {
      const lineEnd = lineEndAt(bytes, index, end)
      if (lineEnd === undefined) to[at++] = byte
      else {
        at = copyAll(lineEnd, to, at)
        index += byte === FIRST_OF_TWO ? 1 : 2
      }
    }
  }
  return at
}

function lineEndAt(from: Buffer, index: number, end: number): Buffer | undefined {
  if (from[index] === FIRST_OF_TWO) {
    return index + 1 < end && from[index + 1] === 0x85 ? NEXT_LINE : undefined
  }
  return index + 2 < end && from[index + 1] === 0x80
    ? SEPARATORS[from[index + 2]! - 0xa8]
    : undefined
}
