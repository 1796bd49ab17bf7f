/** The JSON body of a report: `{code, period, columns, rows, totals, summary}`. */
import { addDays } from '../definitions/calendar.ts'
import type { Totals } from '../definitions/definition.ts'
import type { RowBytes } from '../row-bytes.ts'
import { TOTALS_LABEL } from './format.ts'
import type { BodyWriter, Format, Subject } from './format.ts'
import { createJsonField, createWriteJson, fieldError, MOST_ADDED_BYTES } from './json-field.ts'
import { escapedLength, MOST_ESCAPED_BYTES } from './json-text.ts'
import { makeRoom, writeText, type Output } from './output.ts'

export const JSON_FORMAT: Format = {
  name: 'json',
  contentType: 'application/json; charset=utf-8',
  createWriter: createJsonWriter,
}

const NULL = Buffer.from('null')
const SEPARATOR = Buffer.from(',\n')
const CLOSING_BRACE = 0x7d

function createJsonWriter({ definition, organization, period }: Subject): BodyWriter {
  const { timeZone } = organization
  const columns = definition.columns.map(({ key, type }, place) => ({
    key,
    type,
    prefix: Buffer.from(`${place === 0 ? '{' : ','}${JSON.stringify(key)}:`),
    write: createWriteJson(type, timeZone),
  }))
  /** Of a row, beside what its fields have. */
  const ownBytes = columns.reduce(
    (sum, { prefix }) => sum + prefix.length + MOST_ADDED_BYTES,
    SEPARATOR.length + 1,
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
      const { bytes: from, starts, ends } = row
      const { bytes: to } = output
      let at = output.length
      if (isFirst) isFirst = false
      else at = write(SEPARATOR, to, at)
      for (let order = 0; order < columns.length; order += 1) {
        const column = columns[order]!
        const place = places[order]!
        const start = starts[place]!
        const end = ends[place]!
        at = write(column.prefix, to, at)
        if (start < 0) at = write(NULL, to, at)
        else {
          at = column.write(from, start, end, to, at)
          if (at < 0) {
            throw fieldError(column.key, column.type, from.toString('utf8', start, end))
          }
        }
      }
      to[at] = CLOSING_BRACE
      output.length = at + 1
    },
    tail(output, totals: Totals) {
      const fields = columns.map(({ key, type, prefix }) => {
        const raw = key === definition.labelColumn ? TOTALS_LABEL : totals.fields.get(key)
        return prefix.toString() + createJsonField(key, type, timeZone)(raw ?? null)
      })
      const summary = JSON.stringify(definition.summarize(totals))
      writeText(output, `],"totals":${fields.join('')}},"summary":${summary}}\n`)
    },
  }
}

function write(piece: Buffer, to: Buffer, at: number): number {
  for (let place = 0; place < piece.length; place += 1) to[at++] = piece[place]!
  return at
}
