/** CSV for machines: a header and the rows, with values as in JSON. */
import { rawField } from '../../../model/row-bytes.ts'
import type { Column, ColumnType } from '../../../model/terms.ts'
import { COMMA } from '../digits.ts'
import { fieldError, type BodyWriter, type Format, type WriteBytes } from '../format.ts'
import { reserve } from '../output.ts'
import { PIECE_OVERHANG, pieceOf, writePiece } from '../four-bytes.ts'
import { perDefinition } from '../per-definition.ts'
import { createWritePlain, MAX_ADDED_BYTES } from '../plain-field.ts'
import { IN_ORDER, rowOfTexts } from '../text-row.ts'
import { MAX_ESCAPED_BYTES, writeCsvText, writeQuoted } from './text.ts'

/**
 * RFC 4180, in UTF-8 without a byte order mark: a header of column keys, then rows. There is no totals line, which
 * a loader would import as a row.
 *
 * Null is an empty field, an empty text is `""`. PostgreSQL's COPY distinguishes them, and so does DuckDB with
 * `allow_quoted_nulls = false`. By default DuckDB reads both as null and pandas both as NaN. If a report has one
 * column, all fields are quoted, and null is `""` too: readers skip empty lines, and DuckDB may take `|` for the
 * separator.
 *
 * Formulas are not escaped: for spreadsheets there is `EXCEL_CSV_FORMAT`.
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export const CSV_FORMAT: Format = {
  name: 'csv',
  extension: 'csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  isText: true,
  createWriter: ({ definition, organization }) => prepared(definition, organization.timeZone),
}

const LINE_END = pieceOf('\r\n')

const prepared = perDefinition(({ columns }, timeZone): BodyWriter => {
  const writeText = columns.length === 1 ? writeQuoted : writeCsvText
  const keys = rowOfTexts(columns.map(({ key }) => key))
  const writeKeys = createWriteLine(columns, () => writeText, COMMA)
  return {
    head: output => writeKeys(output, keys, IN_ORDER),
    row: createWriteLine(
      columns,
      type => (type === 'text' ? writeText : createWritePlain(type, timeZone)),
      COMMA,
    ),
    tail() {},
  }
})

/** Null is an empty field; in the only column it is `""`, since readers skip empty lines. */
export function createWriteLine(
  columns: readonly Column[],
  writeOf: (type: ColumnType) => WriteBytes,
  separator: number,
): BodyWriter['row'] {
  const writes = columns.map(({ type }) => writeOf(type))
  const extraBytes = LINE_END.length + PIECE_OVERHANG + columns.length * MAX_ADDED_BYTES
  return (output, row, indexes) => {
    reserve(output, extraBytes + MAX_ESCAPED_BYTES * (row.end - row.start))
    const { starts, ends } = row
    const { bytes } = output
    let at = output.length
    for (let columnIndex = 0; columnIndex < writes.length; columnIndex += 1) {
      if (columnIndex > 0) bytes[at++] = separator
      const index = indexes[columnIndex]!
      const start = starts[index]!
      if (start >= 0) at = writes[columnIndex]!(row, start, ends[index]!, output, at)
      else if (writes.length === 1) at = writeQuoted(row, 0, 0, output, at)
      if (at < 0) {
        const { key, type } = columns[columnIndex]!
        throw fieldError(key, type, rawField(row, index))
      }
    }
    output.length = writePiece(LINE_END, output, at)
  }
}
