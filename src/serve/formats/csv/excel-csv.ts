/** CSV for a Russian Excel: roubles, dates, titles and totals. */
import type { ColumnType } from '../../../model/terms.ts'
import { BLANK, COMMA, copyBytes, MINUS, POINT, pointOf } from '../digits.ts'
import { SECONDS_LENGTH, SEMICOLON, ZERO } from '../digits.ts'
import type { BodyWriter, Format, WriteBytes } from '../format.ts'
import { writeText } from '../output.ts'
import { perDefinition } from '../per-definition.ts'
import { createWritePlain } from '../plain-field.ts'
import { IN_ORDER, rowOfTexts, totalsRow } from '../text-row.ts'
import { createWriteLine } from './csv.ts'
import { writeExcelText } from './excel-text.ts'

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

const prepared = perDefinition((definition, timeZone): BodyWriter => {
  const { columns } = definition
  const titles = rowOfTexts(columns.map(({ title }) => title))
  const writeTitles = createWriteLine(columns, () => writeExcelText, SEMICOLON)
  const writeRow = createWriteLine(columns, type => createWriteExcel(type, timeZone), SEMICOLON)
  return {
    head(output) {
      writeText(output, BYTE_ORDER_MARK)
      writeTitles(output, titles, IN_ORDER)
    },
    row: writeRow,
    tail: (output, { totals }) => writeRow(output, totalsRow(definition, totals), IN_ORDER),
  }
})

/** Excel rounds to fifteen digits; longer numbers are still written as numbers, since Excel's sums ignore texts. */
function createWriteExcel(type: ColumnType, timeZone: string): WriteBytes {
  if (type === 'text') return writeExcelText
  if (type === 'money') return writeRoubles
  if (type === 'number' || type === 'percent') return writeDecimal
  const write = createWritePlain(type, timeZone)
  return type === 'integer' ? write : dayFirst(type, write)
}

/** `1234,5` */
const writeDecimal: WriteBytes = ({ bytes: from }, start, end, { bytes: to }, at) => {
  const point = pointOf(from, start, end)
  if (point < 0) return -1
  const written = copyBytes(from, start, end, to, at)
  if (point < end) to[at + point - start] = COMMA
  return written
}

/** `-0,05` for `-5` kopecks. */
const writeRoubles: WriteBytes = ({ bytes: from }, start, end, { bytes: to }, at) => {
  if (pointOf(from, start, end) !== end) return -1
  const first = from[start] === MINUS ? start + 1 : start
  const kopecks = end - 2
  let written = copyBytes(from, start, Math.max(first, kopecks), to, at)
  if (kopecks <= first) to[written++] = ZERO
  to[written++] = COMMA
  if (kopecks < first) to[written++] = ZERO
  return copyBytes(from, Math.max(first, kopecks), end, to, written)
}

/** Rearranges what was written: `31.12.2026`, `12.2026`, `31.12.2026 23:59:59`. */
function dayFirst(type: ColumnType, write: WriteBytes): WriteBytes {
  return (from, start, end, to, at) => {
    const written = write(from, start, end, to, at)
    if (written < 0) return written
    const { bytes, view } = to
    const [year, month] = [view.getInt32(at), view.getInt16(at + 5)]
    let next = at
    if (type !== 'month') {
      view.setInt16(at, view.getInt16(at + 8))
      bytes[at + 2] = POINT
      next += 3
    }
    view.setInt16(next, month)
    bytes[next + 2] = POINT
    view.setInt32(next + 3, year)
    if (type !== 'datetime') return written
    bytes[at + 10] = BLANK
    return at + SECONDS_LENGTH
  }
}
