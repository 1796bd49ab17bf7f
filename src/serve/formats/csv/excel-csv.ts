/** CSV for Excel in the product's language, which executes formulas and reads months as dates. */
import type { Column, ColumnType } from '../../../model/terms.ts'
import { BLANK, copyAll, copyBytes, MINUS, POINT, pointOf } from '../digits.ts'
import { QUOTE, SECONDS_LENGTH, ZERO } from '../digits.ts'
import { currencyOfRows, onceFor, IN_ORDER, rowOfTexts, totalsRow } from '../format.ts'
import type { BodyWriter, CurrencyOfRow, Format, WriteBytes } from '../format.ts'
import { writeText as appendText } from '../output.ts'
import { createWritePlain } from '../plain-field.ts'
import { memoized } from '../../../model/memoized.ts'
import { formatsIn } from '../../../texts/texts.ts'
import { createWriteLine, writeCsvText, writeQuoted, type WriteField } from './csv.ts'

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

const prepared = onceFor((definition, timeZone): BodyWriter => {
  const { columns, product } = definition
  const { separator, decimal, isDayFirst, writeText } = styleIn(product.language)
  const titles = rowOfTexts(columns.map(({ title }) => title))
  const writeTitles = createWriteLine(columns, () => writeText, separator)
  /** Excel rounds to fifteen digits; longer numbers are still written as numbers, since Excel's sums ignore texts. */
  const writeOf = (column: Column): WriteField => {
    const { type } = column
    if (type === 'text') return writeText
    if (type === 'money') return ofRows(currencyOfRows(definition, column.key), decimal)
    if (type === 'number' || type === 'percent') return createWriteDecimal(decimal)
    const write = createWritePlain(type, timeZone)
    return type === 'integer' ? write : createWriteDate(type, write, isDayFirst)
  }
  const writeRow = createWriteLine(columns, writeOf, separator)
  return {
    head(output) {
      appendText(output, BYTE_ORDER_MARK)
      writeTitles(output, titles, IN_ORDER)
    },
    row: writeRow,
    tail: (output, { totals }) => writeRow(output, totalsRow(definition, totals), IN_ORDER),
  }
})

/** By the digits of the currency of each row. */
function ofRows(currencyOf: CurrencyOfRow, decimal: number): WriteField {
  const writes = [0, 1, 2, 3, 4].map(digits => createWriteMoney(digits, decimal))
  return (row, start, end, to, at, indexes) =>
    writes[currencyOf(row, indexes)?.digits ?? 0]!(row, start, end, to, at)
}

const styleIn = memoized((language: string) => {
  const { excel, monthAndYear } = formatsIn(language)
  const { separator, decimal, isDayFirst, yearWord } = excel
  const [separatorByte, decimalByte] = Buffer.from(separator + decimal)
  return {
    separator: separatorByte!,
    decimal: decimalByte!,
    isDayFirst,
    writeText: createWriteText(new RegExp(monthAndYear, 'iu'), Buffer.from(yearWord)),
  }
})

/** `1234,5` @param decimal the byte that stands for the point */
function createWriteDecimal(decimal: number): WriteBytes {
  return ({ bytes: from }, start, end, { bytes: to }, at) => {
    const point = pointOf(from, start, end)
    if (point < 0) return -1
    const written = copyBytes(from, start, end, to, at)
    if (point < end) to[at + point - start] = decimal
    return written
  }
}

/** `-0,05` for `-5` of a currency with two digits. */
function createWriteMoney(digits: number, decimal: number): WriteBytes {
  return ({ bytes: from }, start, end, { bytes: to }, at) => {
    if (pointOf(from, start, end) !== end) return -1
    if (digits === 0) return copyBytes(from, start, end, to, at)
    const first = from[start] === MINUS ? start + 1 : start
    const fraction = end - digits
    let written = copyBytes(from, start, Math.max(first, fraction), to, at)
    if (fraction <= first) to[written++] = ZERO
    to[written++] = decimal
    for (let missing = fraction; missing < first; missing += 1) to[written++] = ZERO
    return copyBytes(from, Math.max(first, fraction), end, to, written)
  }
}

/** Rearranges what was written: `31.12.2026`, `12.2026`, `31.12.2026 23:59:59`; else `2026-12-31 23:59:59`. */
function createWriteDate(type: ColumnType, write: WriteBytes, isDayFirst: boolean): WriteBytes {
  return (from, start, end, to, at) => {
    const written = write(from, start, end, to, at)
    if (written < 0) return written
    const { bytes, view } = to
    if (isDayFirst) {
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
    }
    if (type !== 'datetime') return written
    bytes[at + 10] = BLANK
    return at + SECONDS_LENGTH
  }
}

/**
 * The start of a formula: a tab, a line break, or one of `=+-@`, also full-width, after blanks, quotes and invisible
 * characters. A single dash is a common placeholder, and not a formula.
 */
const FORMULA = /^(?!-$)(?:[\t\r\n]|[\s\p{Cc}\p{Cf}"']*[=+\-@＝＋－＠])/u
/** 1 for each first byte of a letter or digit, also Cyrillic, which begins no formula. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => {
  return byte === 0xd0 || byte === 0xd1 || /[\dA-Za-z]/.test(String.fromCharCode(byte)) ? 1 : 0
})
/** Length of a blank and a year. */
const YEAR_LENGTH = ' 2026'.length
const APOSTROPHE = 0x27

/**
 * A text that a spreadsheet would read as a formula is quoted and begins with an apostrophe. A month and its year
 * get the word for a year, if the language has one, because spreadsheets read them as the first day; quotes and
 * no-break spaces do not prevent it.
 *
 * why: spreadsheets show the apostrophe, so only formulas have one. Texts that Excel reads as a number or a date
 * (`0012`, `1-2`, an account of twenty digits) are written unchanged: Excel ignores quotes, `="0012"` is itself a
 * formula, and an invisible character would break comparisons. XLSX has types, and newer versions of Excel have an
 * option that prevents the conversion.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 * @see https://support.microsoft.com/office/33d1d872-9926-4ef3-9364-492444d0c7ea
 */
function createWriteText(monthAndYear: RegExp, yearWord: Buffer): WriteBytes {
  return (from, start, end, to, at) => {
    const { bytes } = from
    const mayBeFormula = start < end && IS_PLAIN[bytes[start]!] === 0
    if (mayBeFormula && FORMULA.test(bytes.toString('utf8', start, end))) {
      const written = writeQuoted(from, start, end, to, at + 1)
      to.bytes[at] = QUOTE
      to.bytes[at + 1] = APOSTROPHE
      return written
    }
    const written = writeCsvText(from, start, end, to, at)
    const mayBeMonth = end - start > YEAR_LENGTH && bytes[end - YEAR_LENGTH] === BLANK
    return mayBeMonth && monthAndYear.test(bytes.toString('utf8', start, end))
      ? copyAll(yearWord, to.bytes, written)
      : written
  }
}
