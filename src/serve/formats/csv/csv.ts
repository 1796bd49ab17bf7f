/** CSV for machines: a header and the rows, with values as in JSON; texts are quoted if necessary. */
import { rawField, type ByteView, type RowBytes } from '../../../model/row-bytes.ts'
import type { Column } from '../../../model/terms.ts'
import { BLANK, COMMA, copyAll, copyBytes, QUOTE, SEMICOLON } from '../digits.ts'
import { fieldError, onceFor, IN_ORDER, rowOfTexts } from '../format.ts'
import type { BodyWriter, Format, WriteBytes } from '../format.ts'
import { reserve } from '../output.ts'
import { createWritePlain, MAX_ADDED_BYTES } from '../plain-field.ts'

/** 1 for each byte that requires quotes. */
const IS_QUOTED = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte < BLANK || byte === QUOTE || byte === COMMA || byte === SEMICOLON),
)

/** Maximum length of an escaped byte. */
export const MAX_ESCAPED_BYTES = 2

/**
 * Writes the text and returns its end; space must be reserved for it and its quotes. An empty text is `""`, since
 * null is an empty field. Also quoted: a comma, a semicolon or a control character, since some readers guess the
 * separator (DuckDB, LibreOffice), and a blank at either end, since some readers trim it.
 */
export const writeCsvText: WriteBytes = (from, start, end, to, at) => {
  const { bytes } = from
  if (start === end || bytes[start] === BLANK || bytes[end - 1] === BLANK) {
    return writeQuoted(from, start, end, to, at)
  }
  for (let index = start; index < end; index += 1) {
    if (IS_QUOTED[bytes[index]!] === 1) return writeQuoted(from, start, end, to, at)
  }
  return copyBytes(bytes, start, end, to.bytes, at)
}

/** Writes the text in quotes, even if it needs none. */
export const writeQuoted: WriteBytes = ({ bytes: from }, start, end, { bytes: to }, at) => {
  let written = at
  to[written++] = QUOTE
  for (let index = start; index < end; index += 1) {
    const byte = from[index]!
    if (byte === QUOTE) to[written++] = QUOTE
    to[written++] = byte
  }
  to[written] = QUOTE
  return written + 1
}

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

const prepared = onceFor(({ columns }, timeZone): BodyWriter => {
  const writeText = columns.length === 1 ? writeQuoted : writeCsvText
  const keys = rowOfTexts(columns.map(({ key }) => key))
  const writeKeys = createWriteLine(columns, () => writeText, COMMA)
  return {
    head: output => writeKeys(output, keys, IN_ORDER),
    row: createWriteLine(
      columns,
      ({ type }) => (type === 'text' ? writeText : createWritePlain(type, timeZone)),
      COMMA,
    ),
    tail() {},
  }
})

/** As `WriteBytes`, with all fields of the row. */
export type WriteField = (
  row: RowBytes,
  start: number,
  end: number,
  to: ByteView,
  at: number,
  indexes: readonly number[],
) => number

/** Null is an empty field; in the only column it is `""`, since readers skip empty lines. */
export function createWriteLine(
  columns: readonly Column[],
  writeOf: (column: Column) => WriteField,
  separator: number,
): BodyWriter['row'] {
  const writes = columns.map(writeOf)
  const extraBytes = LINE_END.length + columns.length * MAX_ADDED_BYTES
  return (output, row, indexes) => {
    reserve(output, extraBytes + MAX_ESCAPED_BYTES * (row.end - row.start))
    const { starts, ends } = row
    const { bytes } = output
    let at = output.length
    for (let columnIndex = 0; columnIndex < writes.length; columnIndex += 1) {
      if (columnIndex > 0) bytes[at++] = separator
      const index = indexes[columnIndex]!
      const start = starts[index]!
      if (start >= 0) at = writes[columnIndex]!(row, start, ends[index]!, output, at, indexes)
      else if (writes.length === 1) at = writeQuoted(row, 0, 0, output, at)
      if (at < 0) {
        const { key, type } = columns[columnIndex]!
        throw fieldError(key, type, rawField(row, index))
      }
    }
    output.length = copyAll(LINE_END, bytes, at)
  }
}
