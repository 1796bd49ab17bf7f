/** The JSON body of a report: `{code, period, columns, rows, totals, summary}`. */
import { addDays } from '../../../definitions/calendar.ts'
import type { ReportDefinition } from '../../../definitions/definition.ts'
import { rawField, type RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes, Column } from '../../../model/terms.ts'
import { makeRoomForRow } from '../escaped-text.ts'
import { fieldError, type BodyWriter, type Format, type Subject } from '../format.ts'
import { pieceOf, writePiece, writeText, type Output, type Piece } from '../output.ts'
import { MOST_ADDED_BYTES } from '../plain-field.ts'
import { IN_ORDER, totalsRow } from '../text-row.ts'
import { createWriteJson, isQuotedInJson, JSON_ESCAPING } from './json-field.ts'

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
/** Braces, and what stands between rows. */
const MOST_AROUND_BYTES: Bytes = 8

interface Member {
  readonly column: Column
  /** `,"key":`, and the first quote of what is quoted. */
  readonly name: Piece
  readonly isQuoted: boolean
  /** `,"key":null` */
  readonly ifNull: Piece
}

/** What is the same in every response of a report. */
interface Layout {
  readonly members: readonly Member[]
  /** `[{"key":...,"title":...,"type":...},...]` */
  readonly columnsJson: string
}

// why: to lay out anew takes as long as to write sixty rows
const layouts = new WeakMap<ReportDefinition, Layout>()

function layoutOf(definition: ReportDefinition): Layout {
  const known = layouts.get(definition)
  if (known !== undefined) return known
  const { columns } = definition
  const members = columns.map((column, order): Member => {
    const name = `${order === 0 ? '' : ','}${JSON.stringify(column.key)}:`
    return {
      column,
      name: pieceOf(isQuotedInJson(column.type) ? `${name}"` : name),
      isQuoted: isQuotedInJson(column.type),
      ifNull: pieceOf(`${name}null`),
    }
  })
  const columnsJson = JSON.stringify(columns.map(({ key, title, type }) => ({ key, title, type })))
  const layout = { members, columnsJson }
  layouts.set(definition, layout)
  return layout
}

/** @throws FieldError if a field is not of its column's type. */
type WriteObject = (
  output: Output,
  row: RowBytes,
  places: readonly number[],
  before: Piece,
  after: Piece,
) => void

/** A row, or the totals: @param before with its opening brace @param after with the closing one */
export function createWriteObject({ definition, organization }: Subject): WriteObject {
  const { members } = layoutOf(definition)
  const writes = members.map(({ column }) => createWriteJson(column.type, organization.timeZone))
  const ownBytes = members.reduce(
    (sum, { ifNull }) => sum + ifNull.length + MOST_ADDED_BYTES,
    MOST_AROUND_BYTES,
  )

  return (output, row, places, before, after) => {
    makeRoomForRow(output, row, ownBytes, JSON_ESCAPING)
    const { starts, ends } = row
    let at = writePiece(before, output, output.length)
    for (let order = 0; order < members.length; order += 1) {
      const member = members[order]!
      const place = places[order]!
      const start = starts[place]!
      if (start < 0) {
        at = writePiece(member.ifNull, output, at)
        continue
      }
      at = writePiece(member.name, output, at)
      at = writes[order]!(row, start, ends[place]!, output, at)
      if (at < 0) {
        const { key, type } = member.column
        throw fieldError(key, type, rawField(row, place))
      }
      if (member.isQuoted) output.bytes[at++] = QUOTE
    }
    output.length = writePiece(after, output, at)
  }
}

function createJsonWriter(subject: Subject): BodyWriter {
  const { definition, period } = subject
  const writeObject = createWriteObject(subject)
  let opening = OPENING_BRACE

  return {
    head(output) {
      const head = {
        code: definition.code,
        period: { from: period.start, to: addDays(period.end, -1) },
      }
      const { columnsJson } = layoutOf(definition)
      writeText(output, `${JSON.stringify(head).slice(0, -1)},"columns":${columnsJson},"rows":[`)
    },
    row(output, row, places) {
      writeObject(output, row, places, opening, CLOSING_BRACE)
      opening = NEXT_OBJECT
    },
    tail(output, { totals, summary }) {
      writeText(output, '],"totals":')
      const row = totalsRow(definition, totals)
      writeObject(output, row, IN_ORDER, OPENING_BRACE, CLOSING_BRACE)
      writeText(output, `,"summary":${JSON.stringify(summary)}}\n`)
    },
  }
}
