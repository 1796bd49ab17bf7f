/** The rows of a report as CSV for machines: values as JSON has them, and nothing that is not a row. */
import { csvLines, writeFields } from './lines.ts'
import { writeCsvText, writeQuoted } from './text.ts'
import type { BodyWriter, Format, Subject } from '../format.ts'
import { createWritePlain } from '../plain-field.ts'

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

const COMMA = 0x2c

function createCsvWriter({ definition, organization }: Subject): BodyWriter {
  const { columns } = definition
  const writeText = columns.length === 1 ? writeQuoted : writeCsvText
  const writes = columns.map(({ type }) =>
    type === 'text' ? writeText : createWritePlain(type, organization.timeZone),
  )
  const writeKeys = csvLines(
    columns,
    columns.map(() => writeText),
    COMMA,
  )

  return {
    head(output) {
      const keys = columns.map(({ key }) => key)
      writeFields(writeKeys, output, keys)
    },
    row: csvLines(columns, writes, COMMA),
    tail() {},
  }
}
