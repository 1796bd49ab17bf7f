/** Lines of CSV, a field after the other: what both kinds of CSV have in common. */
import type { Bytes, Column, RawField } from '../../../model/terms.ts'
import { MOST_QUOTED_BYTES, writeQuoted } from './text.ts'
import { fieldError, type BodyWriter, type WriteBytes } from '../format.ts'
import { makeRoom, type Output } from '../output.ts'
import { MOST_ADDED_BYTES } from '../plain-field.ts'
import { rowOfTexts } from '../text-row.ts'

const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a
const LINE_END_BYTES: Bytes = 2

/**
 * Answers what writes a line. Null is an empty field; where there is no other field it is `""`, as an empty
 * text is, because readers skip an empty line.
 * @param columns as messages name them
 * @param writes of each column
 * @param separator a byte
 */
export function csvLines(
  columns: readonly Column[],
  writes: readonly WriteBytes[],
  separator: number,
): BodyWriter['row'] {
  const isAlone = columns.length === 1
  const ownBytes = LINE_END_BYTES + columns.length * MOST_ADDED_BYTES

  return (output, row, places) => {
    makeRoom(output, ownBytes + (row.end - row.start) * MOST_QUOTED_BYTES)
    const { starts, ends } = row
    const { bytes } = output
    let at = output.length
    for (let order = 0; order < writes.length; order += 1) {
      if (order > 0) bytes[at++] = separator
      const place = places[order]!
      const start = starts[place]!
      if (start < 0) {
        if (isAlone) at = writeQuoted(row, 0, 0, output, at)
        continue
      }
      const end = ends[place]!
      at = writes[order]!(row, start, end, output, at)
      if (at < 0) {
        const { key, type } = columns[order]!
        throw fieldError(key, type, row.bytes.toString('utf8', start, end))
      }
    }
    bytes[at] = CARRIAGE_RETURN
    bytes[at + 1] = LINE_FEED
    output.length = at + LINE_END_BYTES
  }
}

/** Writes one line of fields that are not from a database: titles, totals. */
export function writeFields(
  writeLine: BodyWriter['row'],
  output: Output,
  fields: readonly RawField[],
): void {
  const places = fields.map((_, place) => place)
  writeLine(output, rowOfTexts(fields), places)
}
