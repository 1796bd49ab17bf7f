/** A report as CSV that a Russian Excel opens by a double click: roubles, dates, titles and totals. */
import { csvLines, writeFields } from './lines.ts'
import { createWriteExcel, writeExcelText } from './excel-field.ts'
import { TOTALS_LABEL } from '../format.ts'
import type { BodyWriter, Format, Subject } from '../format.ts'
import { writeText } from '../output.ts'

/**
 * A byte order mark, without which Excel takes UTF-8 for windows-1251; a semicolon, its separator where the
 * decimal sign is a comma; a line of column titles, rows, a line of totals. Null and the empty text are empty
 * cells. No line `sep=;`: with it Excel no longer minds the byte order mark.
 */
export const EXCEL_CSV_FORMAT: Format = {
  name: 'csv-excel',
  extension: 'csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  isText: true,
  // why: a sheet has 1,048,576 lines, Excel drops what is below them, and the totals come last
  maxRows: 1_048_574,
  createWriter: createExcelWriter,
}

const BYTE_ORDER_MARK = '\ufeff'
const SEMICOLON = 0x3b

function createExcelWriter({ definition, organization }: Subject): BodyWriter {
  const { columns, labelColumn } = definition
  const writes = columns.map(({ type }) => createWriteExcel(type, organization.timeZone))
  const writeRow = csvLines(columns, writes, SEMICOLON)
  const writeTitles = csvLines(
    columns,
    columns.map(() => writeExcelText),
    SEMICOLON,
  )

  return {
    head(output) {
      writeText(output, BYTE_ORDER_MARK)
      const titles = columns.map(({ title }) => title)
      writeFields(writeTitles, output, titles)
    },
    row: writeRow,
    tail(output, { totals }) {
      const fields = columns.map(({ key }) =>
        key === labelColumn ? TOTALS_LABEL : (totals.get(key) ?? null),
      )
      writeFields(writeRow, output, fields)
    },
  }
}
