/** CSV for a Russian Excel: roubles, dates, titles and totals. */
import type { BodyWriter, Format } from '../format.ts'
import { writeText } from '../output.ts'
import { perDefinition } from '../per-definition.ts'
import { IN_ORDER, rowOfTexts, totalsRow } from '../text-row.ts'
import { csvLines } from './csv.ts'
import { createWriteExcel, writeExcelText } from './excel-field.ts'

/**
 * A byte order mark, a line of column titles, rows, a line of totals. Without the mark Excel reads UTF-8 as
 * windows-1251. The separator is a semicolon, as in locales with a decimal comma. Null and the empty text are empty
 * cells. There is no line `sep=;`, because Excel then ignores the byte order mark.
 */
export const EXCEL_CSV_FORMAT: Format = {
  name: 'csv-excel',
  extension: 'csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  isText: true,
  // why: Excel ignores lines beyond 1,048,576; two are titles and totals
  maxRows: 1_048_574,
  createWriter: ({ definition, organization }) => prepared(definition, organization.timeZone),
}

const BYTE_ORDER_MARK = '\ufeff'
const SEPARATOR = ';'

const prepared = perDefinition((definition, timeZone): BodyWriter => {
  const { columns } = definition
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
})
