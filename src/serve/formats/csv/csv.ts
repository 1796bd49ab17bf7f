/** CSV for machines: a header and the rows, with values as in JSON. */
import { rawField } from '../../../model/row-bytes.ts'
import type { Column } from '../../../model/terms.ts'
import { fieldError, type BodyWriter, type Format, type WriteBytes } from '../format.ts'
import { copyPiece } from '../digits.ts'
import { reserve, type Output } from '../output.ts'
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

const LINE_END = Buffer.from('\r\n')

const prepared = perDefinition(({ columns }, timeZone) => {
  const writeText = columns.length === 1 ? writeQuoted : writeCsvText
  const writeKeys = csvLines(columns, () => writeText, ',')
  const keys = rowOfTexts(columns.map(({ key }) => key))
  return {
    head: (output: Output) => writeKeys(output, keys, IN_ORDER),
    row: csvLines(
      columns,
      ({ type }) => (type === 'text' ? writeText : createWritePlain(type, timeZone)),
      ',',
    ),
    tail() {},
  }
})

/**
 * Returns a function that writes a line. Null is an empty field. In the only column it is `""`, since readers skip
 * empty lines.
 */
export function csvLines(
  columns: readonly Column[],
  writeOf: (column: Column) => WriteBytes,
  separator: string,
): BodyWriter['row'] {
  const fields = columns.map(column => ({ ...column, write: writeOf(column) }))
  const separatorByte = separator.charCodeAt(0)
  const extraBytes = LINE_END.length + columns.length * MAX_ADDED_BYTES

  return (output, row, indexes) => {
    reserve(output, extraBytes + MAX_ESCAPED_BYTES * (row.end - row.start))
    const { starts, ends } = row
    const { bytes } = output
    let at = output.length
    for (let columnIndex = 0; columnIndex < fields.length; columnIndex += 1) {
      if (columnIndex > 0) bytes[at++] = separatorByte
      const { key, type, write } = fields[columnIndex]!
      const index = indexes[columnIndex]!
      const start = starts[index]!
      if (start >= 0) at = write(row, start, ends[index]!, output, at)
      else if (fields.length === 1) at = writeQuoted(row, 0, 0, output, at)
      if (at < 0) throw fieldError(key, type, rawField(row, index))
    }
    output.length = copyPiece(LINE_END, output, at)
  }
}
