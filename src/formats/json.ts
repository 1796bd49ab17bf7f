/** The JSON body of a report: `{code, period, columns, rows, totals, summary}`. */
import { addDays } from '../definitions/calendar.ts'
import type { Totals } from '../definitions/definition.ts'
import type { RowBytes } from '../row-bytes.ts'
import { TOTALS_LABEL } from './format.ts'
import type { BodyWriter, Format, Subject } from './format.ts'
import { createJsonField, createWriteJson, fieldError, MOST_ADDED_BYTES } from './json-field.ts'
import { escapedLength, MOST_ESCAPED_BYTES } from './json-text.ts'
import { makeRoom, PIECE_OVERHANG, pieceOf, writePiece, writeText, type Output } from './output.ts'

export const JSON_FORMAT: Format = {
  name: 'json',
  contentType: 'application/json; charset=utf-8',
  createWriter: createJsonWriter,
}

const NULL = pieceOf('null')
const SEPARATOR = pieceOf(',\n')
const CLOSING_BRACE = 0x7d

function createJsonWriter({ definition, organization, period }: Subject): BodyWriter {
  const { timeZone } = organization
  const columns = definition.columns.map(({ key, type }, place) => {
    const prefix = `${place === 0 ? '{' : ','}${JSON.stringify(key)}:`
    return { key, type, prefix, piece: pieceOf(prefix), write: createWriteJson(type, timeZone) }
  })
  /** Of a row, beside what its fields have. */
  const ownBytes = columns.reduce(
    (sum, { piece }) => sum + piece.length + MOST_ADDED_BYTES,
    SEPARATOR.length + 1 + PIECE_OVERHANG,
  )
  let isFirst = true

  function makeRoomFor(output: Output, { bytes, start, end }: RowBytes): void {
    const most = ownBytes + (end - start) * MOST_ESCAPED_BYTES
    if (output.length + most <= output.bytes.length) return
    // why: what large rows need is counted, and not feared
    makeRoom(output, ownBytes + escapedLength(bytes, start, end))
  }

  return {
    head(output) {
      const head = {
        code: definition.code,
        period: { from: period.start, to: addDays(period.end, -1) },
        columns: definition.columns.map(({ key, title, type }) => ({ key, title, type })),
      }
      writeText(output, `${JSON.stringify(head).slice(0, -1)},"rows":[`)
    },
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
            throw fieldError(column.key, column.type, row.bytes.toString('utf8', start, end))
          }
        }
      }
      output.bytes[at] = CLOSING_BRACE
      output.length = at + 1
    },
    tail(output, totals: Totals) {
      const fields = columns.map(({ key, type, prefix }) => {
        const raw = key === definition.labelColumn ? TOTALS_LABEL : totals.fields.get(key)
        return prefix + createJsonField(key, type, timeZone)(raw ?? null)
      })
      const summary = JSON.stringify(definition.summarize(totals))
      writeText(output, `],"totals":${fields.join('')}},"summary":${summary}}\n`)
    },
  }
}
