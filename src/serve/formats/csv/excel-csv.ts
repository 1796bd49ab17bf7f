/** CSV for a Russian Excel: roubles, dates, titles and totals. */
import type { RowBytes } from '../../../model/row-bytes.ts'
import type { ColumnType } from '../../../model/terms.ts'
import { byteTextOf, DECIMAL, fieldsOf, hundredth } from '../byte-text.ts'
import { INTEGER, stringOf, writeByteText, type ByteText } from '../byte-text.ts'
import { fieldError, type BodyWriter, type Format } from '../format.ts'
import type { Output } from '../output.ts'
import { perDefinition } from '../per-definition.ts'
import { createPlainText } from '../plain-field.ts'
import { IN_ORDER, totalsRow } from '../text-row.ts'
import { excelText } from './excel-text.ts'

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

const BYTE_ORDER_MARK = byteTextOf('\ufeff')
const SEPARATOR = ';'
const LINE_END = '\r\n'

const prepared = perDefinition((definition, timeZone): BodyWriter => {
  const columns = definition.columns.map(column => ({
    ...column,
    write: fieldOf(column.type, timeZone),
  }))
  // why: readers skip empty lines
  const ifNull = columns.length === 1 ? '""' : ''

  function writeRow(output: Output, row: RowBytes, indexes: readonly number[]): void {
    const raws = fieldsOf(row, indexes)
    let line = ''
    for (let at = 0; at < columns.length; at += 1) {
      const raw = raws[at]!
      const { key, type, write } = columns[at]!
      const field = raw === null ? ifNull : write(raw)
      if (field === undefined) throw fieldError(key, type, stringOf(raw))
      line += at === 0 ? field : SEPARATOR + field
    }
    writeByteText(output, line + LINE_END)
  }

  return {
    head(output) {
      const titles = columns.map(({ title }) => excelText(byteTextOf(title)))
      writeByteText(output, BYTE_ORDER_MARK + titles.join(SEPARATOR) + LINE_END)
    },
    row: writeRow,
    tail: (output, { totals }) =>
      writeRow(output, totalsRow(definition, totals), IN_ORDER.slice(0, columns.length)),
  }
})

/**
 * The returned function gives undefined if the text is not of the type. Excel rounds to fifteen digits; longer numbers
 * are still written as numbers, since Excel's sums ignore texts.
 */
function fieldOf(type: ColumnType, timeZone: string): (raw: ByteText) => ByteText | undefined {
  switch (type) {
    case 'text':
      return excelText
    case 'integer':
      return raw => (INTEGER.test(raw) ? raw : undefined)
    case 'money':
      return raw => (INTEGER.test(raw) ? hundredth(raw).replace('.', ',') : undefined)
    case 'number':
    case 'percent':
      return raw => (DECIMAL.test(raw) ? raw.replace('.', ',') : undefined)
    case 'date':
      return raw => (DAY.test(raw) ? dayFirst(raw) : undefined)
    case 'month':
      return raw => (MONTH.test(raw) ? dayFirst(raw.slice(0, 7)) : undefined)
    case 'datetime': {
      const isoOf = createPlainText(type, timeZone)
      return raw => {
        const iso = isoOf(raw)
        return iso && dayFirst(iso)
      }
    }
  }
}

const DAY = /^\d{4}-\d\d-\d\d$/
/** The rest is ignored. */
const MONTH = /^\d{4}-\d\d/

/** `31.12.2026`, `12.2026`, `31.12.2026 23:59:59` */
function dayFirst(iso: string): string {
  const month = `${iso.slice(5, 7)}.${iso.slice(0, 4)}`
  if (iso.length === 7) return month
  const day = `${iso.slice(8, 10)}.${month}`
  return iso.length === 10 ? day : `${day} ${iso.slice(11, 19)}`
}
