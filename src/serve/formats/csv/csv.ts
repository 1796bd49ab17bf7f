/** The rows of a report as CSV for machines: values as JSON has them, and nothing that is not a row. */
import { rawField } from '../../../model/row-bytes.ts'
import type { Column } from '../../../model/terms.ts'
import { makeRoomForRow } from '../escaped-text.ts'
import {
  fieldError,
  type BodyWriter,
  type Format,
  type Subject,
  type WriteBytes,
} from '../format.ts'
import { PIECE_OVERHANG, pieceOf, writePiece } from '../output.ts'
import { createWritePlain, MOST_ADDED_BYTES } from '../plain-field.ts'
import { IN_ORDER, rowOfTexts } from '../text-row.ts'
import { CSV_ESCAPING, writeCsvText, writeQuoted } from './text.ts'

/**
 * RFC 4180, in UTF-8 without a byte order mark: a header of column keys, then rows. No totals line, which a
 * loader would take for a row.
 *
 * Null is an empty field and an empty text is `""`. PostgreSQL's COPY tells them apart, and DuckDB with
 * `allow_quoted_nulls = false`; otherwise DuckDB takes both for null, pandas both for NaN, or with
 * `keep_default_na=False` both for an empty text. A report of one column has everything in quotes: there null
 * is `""`, too, for readers skip empty lines, and DuckDB finds a `|` and makes two columns of one.
 *
 * No text is disarmed: whoever opens the file in a spreadsheet takes the other CSV.
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export const CSV_FORMAT: Format = {
  name: 'csv',
  extension: 'csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  isText: true,
  createWriter: createCsvWriter,
}

function createCsvWriter({ definition, organization }: Subject): BodyWriter {
  const { columns } = definition
  const writeText = columns.length === 1 ? writeQuoted : writeCsvText
  const writeKeys = csvLines(columns, () => writeText, ',')

  return {
    head: output => writeKeys(output, rowOfTexts(columns.map(({ key }) => key)), IN_ORDER),
    row: csvLines(
      columns,
      ({ type }) => (type === 'text' ? writeText : createWritePlain(type, organization.timeZone)),
      ',',
    ),
    tail() {},
  }
}

/**
 * Returns what writes a line. Null is an empty field; where there is no other field it is `""`, as an empty
 * text is, because readers skip an empty line.
 */
export function csvLines(
  columns: readonly Column[],
  writeOf: (column: Column) => WriteBytes,
  separator: string,
  lineEnd = '\r\n',
): BodyWriter['row'] {
  const writes = columns.map(writeOf)
  const between = separator.charCodeAt(0)
  const after = pieceOf(lineEnd)
  const ownBytes = after.length + PIECE_OVERHANG + columns.length * MOST_ADDED_BYTES

  return (output, row, places) => {
    makeRoomForRow(output, row, ownBytes, CSV_ESCAPING)
    const { starts, ends } = row
    const { bytes } = output
    let at = output.length
    for (let order = 0; order < writes.length; order += 1) {
      if (order > 0) bytes[at++] = between
      const place = places[order]!
      const start = starts[place]!
      if (start < 0) {
        if (writes.length === 1) at = writeQuoted(row, 0, 0, output, at)
        continue
      }
      at = writes[order]!(row, start, ends[place]!, output, at)
      if (at < 0) {
        const { key, type } = columns[order]!
        throw fieldError(key, type, rawField(row, place))
      }
    }
    output.length = writePiece(after, output, at)
  }
}
