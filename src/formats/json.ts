/** The JSON body of a report: `{code, period, columns, rows, totals, summary}`. */
import { addDays } from '../definitions/calendar.ts'
import type { ReportDefinition } from '../definitions/definition.ts'
import type { RowBytes } from '../row-bytes.ts'
import type { Bytes, Period } from '../terms.ts'
import { TOTALS_LABEL } from './format.ts'
import type { BodyWriter, Format, Subject, WriteBytes } from './format.ts'
import { createJsonField, createWriteJson, fieldError, MOST_ADDED_BYTES } from './json-field.ts'
import type { JsonField } from './json-field.ts'
import { escapedLength, MOST_ESCAPED_BYTES } from './json-text.ts'
import { makeRoom, PIECE_OVERHANG, pieceOf, writePiece, writeText } from './output.ts'
import type { Output, Piece } from './output.ts'

export const JSON_FORMAT: Format = {
  name: 'json',
  extension: 'json',
  contentType: 'application/json; charset=utf-8',
  isText: true,
  createWriter: createJsonWriter,
}

const NULL = pieceOf('null')
const SEPARATOR = pieceOf(',\n')
const CLOSING_BRACE = 0x7d

interface Column {
  /** `,"key":` */
  readonly piece: Piece
  readonly prefix: string
  readonly write: WriteBytes
  readonly writeTotal: JsonField
  readonly isLabel: boolean
}

/** What is the same in every answer of a report in a time zone. */
interface Layout {
  readonly columns: readonly Column[]
  /** `[{"key":...,"title":...,"type":...},...]` */
  readonly columnsJson: string
  /** Of a row, beside what its fields have. */
  readonly ownBytes: Bytes
}

// why: to lay out anew takes as long as to write twenty rows
const layouts = new WeakMap<ReportDefinition, Map<string, Layout>>()

function layoutOf(definition: ReportDefinition, timeZone: string): Layout {
  const byZone = layouts.get(definition) ?? new Map<string, Layout>()
  layouts.set(definition, byZone)
  const layout = byZone.get(timeZone) ?? layOut(definition, timeZone)
  byZone.set(timeZone, layout)
  return layout
}

function layOut({ columns, labelColumn }: ReportDefinition, timeZone: string): Layout {
  const laidOut = columns.map(({ key, type }, place): Column => {
    const prefix = `${place === 0 ? '{' : ','}${JSON.stringify(key)}:`
    return {
      prefix,
      piece: pieceOf(prefix),
      write: createWriteJson(type, timeZone),
      writeTotal: createJsonField(key, type, timeZone),
      isLabel: key === labelColumn,
    }
  })
  return {
    columns: laidOut,
    columnsJson: JSON.stringify(columns.map(({ key, title, type }) => ({ key, title, type }))),
    ownBytes: laidOut.reduce(
      (sum, { piece }) => sum + piece.length + MOST_ADDED_BYTES,
      SEPARATOR.length + 1 + PIECE_OVERHANG,
    ),
  }
}

/** All that stands before the first row. */
export function jsonHead({ definition, organization, period }: Subject): string {
  return opened(definition, period, layoutOf(definition, organization.timeZone).columnsJson)
}

function opened({ code }: ReportDefinition, period: Period, columnsJson: string): string {
  const head = { code, period: { from: period.start, to: addDays(period.end, -1) } }
  return `${JSON.stringify(head).slice(0, -1)},"columns":${columnsJson},"rows":[`
}

function createJsonWriter({ definition, organization, period }: Subject): BodyWriter {
  const { columns, columnsJson, ownBytes } = layoutOf(definition, organization.timeZone)
  let isFirst = true

  function makeRoomFor(output: Output, { bytes, start, end }: RowBytes): void {
    const most = ownBytes + (end - start) * MOST_ESCAPED_BYTES
    if (output.length + most <= output.bytes.length) return
    // why: what large rows need is counted, and not feared
    makeRoom(output, ownBytes + escapedLength(bytes, start, end))
  }

  return {
    head: output => writeText(output, opened(definition, period, columnsJson)),
    row(output, row, places) {
      makeRoomFor(output, row)
      const { starts, ends } = row
      let at = output.length
      if (isFirst) isFirst = false
      else at = writePiece(SEPARATOR, output, at)
      for (let order = 0; order < columns.length; order += 1) {
        const column = columns[order]!
        const place = places[order]!
        const start = starts[place]!
        const end = ends[place]!
        at = writePiece(column.piece, output, at)
        if (start < 0) at = writePiece(NULL, output, at)
        else {
          at = column.write(row, start, end, output, at)
          if (at < 0) {
            const { key, type } = definition.columns[order]!
            throw fieldError(key, type, row.bytes.toString('utf8', start, end))
          }
        }
      }
      output.bytes[at] = CLOSING_BRACE
      output.length = at + 1
    },
    tail(output, { totals, summary }) {
      const fields = columns.map(({ prefix, isLabel, writeTotal }, order) => {
        const raw = isLabel ? TOTALS_LABEL : totals.get(definition.columns[order]!.key)
        return prefix + writeTotal(raw ?? null)
      })
      const sentence = JSON.stringify(summary)
      writeText(output, `],"totals":${fields.join('')}},"summary":${sentence}}\n`)
    },
  }
}
