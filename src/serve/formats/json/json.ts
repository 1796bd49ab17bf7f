/** The JSON body of a report: `{code, period, columns, rows, totals, summary}`. */
import { inclusiveDates } from '../../../definitions/calendar.ts'
import type { ReportDefinition } from '../../../definitions/definition.ts'
import { rawField, type RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes, Column } from '../../../model/terms.ts'
import { reserveRow } from '../escaped-text.ts'
import { fieldError, type BodyWriter, type Format, type BodySubject } from '../format.ts'
import { pieceOf, writePiece, writeText } from '../output.ts'
import type { Output, Piece } from '../output.ts'
import { MAX_ADDED_BYTES } from '../plain-field.ts'
import { IN_ORDER, totalsRow } from '../text-row.ts'
import { createWriteJson, isQuotedInJson, JSON_ESCAPING } from './json-field.ts'
import { jsonText } from './json-text.ts'

export const JSON_FORMAT: Format = {
  name: 'json',
  extension: 'json',
  contentType: 'application/json; charset=utf-8',
  isText: true,
  createWriter: createJsonWriter,
}

export const OPENING_BRACE = pieceOf('{')
export const CLOSING_BRACE = pieceOf('}')
const NEXT_OBJECT = pieceOf(',\n{')
const QUOTE = 0x22
/** Braces and separators of a row. */
const MAX_AROUND_BYTES: Bytes = 8

interface Member {
  readonly column: Column
  /** `,"key":`, and the opening quote if the value is quoted. */
  readonly name: Piece
  readonly isQuoted: boolean
  /** `,"key":null` */
  readonly ifNull: Piece
}

/** The parts that are equal in all responses of a report. */
interface Layout {
  readonly members: readonly Member[]
  /** `[{"key":...,"title":...,"type":...},...]` */
  readonly columnsJson: string
}

// why: creating a layout takes as long as writing sixty rows
const layouts = new WeakMap<ReportDefinition['columns'], Layout>()

function layoutOf(columns: ReportDefinition['columns']): Layout {
  const existing = layouts.get(columns)
  if (existing !== undefined) return existing
  const members = columns.map((column, columnIndex): Member => {
    const name = `${columnIndex === 0 ? '' : ','}${JSON.stringify(column.key)}:`
    return {
      column,
      name: pieceOf(isQuotedInJson(column.type) ? `${name}"` : name),
      isQuoted: isQuotedInJson(column.type),
      ifNull: pieceOf(`${name}null`),
    }
  })
  const columnsJson = jsonText(columns.map(({ key, title, type }) => ({ key, title, type })))
  const layout = { members, columnsJson }
  layouts.set(columns, layout)
  return layout
}

/** @throws FieldError if a field is not of its column's type. */
type WriteObject = (
  output: Output,
  row: RowBytes,
  indexes: readonly number[],
  before: Piece,
  after: Piece,
) => void

/** Writes a row or the totals. @param before ends with the opening brace @param after begins with the closing one */
export function createWriteObject(
  columns: ReportDefinition['columns'],
  timeZone: string,
): WriteObject {
  const { members } = layoutOf(columns)
  const writes = members.map(({ column }) => createWriteJson(column.type, timeZone))
  const extraBytes = members.reduce(
    (sum, { ifNull }) => sum + ifNull.length + MAX_ADDED_BYTES,
    MAX_AROUND_BYTES,
  )

  return (output, row, indexes, before, after) => {
    reserveRow(output, row, extraBytes, JSON_ESCAPING)
    const { starts, ends } = row
    let at = writePiece(before, output, output.length)
    for (let columnIndex = 0; columnIndex < members.length; columnIndex += 1) {
      const member = members[columnIndex]!
      const index = indexes[columnIndex]!
      const start = starts[index]!
      if (start < 0) {
        at = writePiece(member.ifNull, output, at)
        continue
      }
      at = writePiece(member.name, output, at)
      at = writes[columnIndex]!(row, start, ends[index]!, output, at)
      if (at < 0) {
        const { key, type } = member.column
        throw fieldError(key, type, rawField(row, index))
      }
      if (member.isQuoted) output.bytes[at++] = QUOTE
    }
    output.length = writePiece(after, output, at)
  }
}

function createJsonWriter({ definition, period, organization }: BodySubject): BodyWriter {
  const { code, columns } = definition
  const writeObject = createWriteObject(columns, organization.timeZone)
  let opening = OPENING_BRACE

  return {
    head(output) {
      const head = JSON.stringify({ code, period: inclusiveDates(period) })
      const { columnsJson } = layoutOf(columns)
      writeText(output, `${head.slice(0, -1)},"columns":${columnsJson},"rows":[`)
    },
    row(output, row, indexes) {
      writeObject(output, row, indexes, opening, CLOSING_BRACE)
      opening = NEXT_OBJECT
    },
    tail(output, { totals, summary }) {
      writeText(output, '],"totals":')
      const row = totalsRow(definition, totals)
      writeObject(output, row, IN_ORDER, OPENING_BRACE, CLOSING_BRACE)
      writeText(output, `,"summary":${jsonText(summary)}}\n`)
    },
  }
}
