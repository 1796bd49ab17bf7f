/** A report as CSV that a Russian Excel opens by a double click: roubles, dates, titles and totals. */
import type { BodyWriter, Format, Subject } from '../format.ts'
import { writeText } from '../output.ts'
import { IN_ORDER, rowOfTexts, totalsRow } from '../text-row.ts'
import { csvLines } from './csv.ts'
import { createWriteExcel, writeExcelText } from './excel-field.ts'

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
const SEPARATOR = ';'

function createExcelWriter({ definition, organization }: Subject): BodyWriter {
  const { columns } = definition
  const { timeZone } = organization
  const writeRow = csvLines(columns, ({ type }) => createWriteExcel(type, timeZone), SEPARATOR)
  const writeTitles = csvLines(columns, () => writeExcelText, SEPARATOR)

  return {
    head(output) {
      writeText(output, BYTE_ORDER_MARK)
      writeTitles(output, rowOfTexts(columns.map(({ title }) => title)), IN_ORDER)
    },
    row: writeRow,
    tail: (output, { totals }) => writeRow(output, totalsRow(definition, totals), IN_ORDER),
  }
}
