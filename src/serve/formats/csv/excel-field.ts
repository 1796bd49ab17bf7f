/** Writes one field for an Excel with a decimal comma, and escapes formulas. Bytes to bytes. */
import type { ColumnType } from '../../../model/terms.ts'
import { createWriteDayFirst } from '../day-first.ts'
import { copyPiece, isDigit, POINT } from '../digits.ts'
import type { WriteBytes } from '../format.ts'
import { createWritePlain, writeRoubles } from '../plain-field.ts'
import { writeCsvText, writeQuoted } from './text.ts'

const APOSTROPHE = 0x27
const COMMA = 0x2c
const QUOTE = 0x22

/**
 * Digits are copied. Excel rounds numbers to fifteen digits. Longer ones are still written as numbers, since Excel's
 * sums ignore texts.
 */
export function createWriteExcel(type: ColumnType, timeZone: string): WriteBytes {
  switch (type) {
    case 'text':
      return writeExcelText
    case 'integer':
      return createWritePlain(type, timeZone)
    case 'money':
      return withComma(writeRoubles)
    case 'number':
    case 'percent':
      return withComma(createWritePlain(type, timeZone))
    case 'date':
    case 'month':
    case 'datetime':
      return createWriteDayFirst(type, timeZone)
  }
}

function withComma(write: WriteBytes): WriteBytes {
  return (from, start, end, to, at) => {
    const { bytes } = to
    const written = write(from, start, end, to, at)
    for (let index = at; index < written; index += 1) {
      if (bytes[index] === POINT) bytes[index] = COMMA
    }
    return written
  }
}

/**
 * The start of a formula: a tab, a line break, or one of `=+-@`, also full-width, after blanks, quotes and invisible
 * characters.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}"']*[=+\-@＝＋－＠])/u

/** Indexed by a text's first byte: 1 if the text may be a formula; 0 for letters and digits, including Cyrillic. */
const MAY_START_FORMULA = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isCyrillic = byte === 0xd0 || byte === 0xd1
  return (byte >= 0x80 && !isCyrillic) || FORMULA.test(`${String.fromCharCode(byte)}=`) ? 1 : 0
})

/** The name of a month and its year, such as a label `Январь 2026`. */
const MONTH =
  /^(?:\d\d? )?(?:январ[ья]|феврал[ья]|марта?|апрел[ья]|ма[йя]|ию[нл][ья]|августа?|сентябр[ья]|октябр[ья]|ноябр[ья]|декабр[ья]) \d{4}$/i
const MIN_MONTH_BYTES = 'май 2026'.length + 3
const MAX_MONTH_BYTES = '31 сентября 2026'.length + 8
const YEAR_WORD = Buffer.from(' года')

/**
 * Writes the text as `writeCsvText` does. A text that a spreadsheet would read as a formula is quoted and begins
 * with an apostrophe. A month and its year become `Январь 2026 года`, because spreadsheets read `Январь 2026` as
 * 1 January; quotes and no-break spaces do not prevent it.
 *
 * why: spreadsheets show the apostrophe, so only formulas have one. Texts that Excel reads as a number or a date
 * (`0012`, `1-2`, an account of twenty digits) are written unchanged: Excel ignores quotes, `="0012"` is itself a
 * formula, and an invisible character would break comparisons. XLSX has types, and newer versions of Excel have an
 * option that prevents the conversion.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 * @see https://support.microsoft.com/office/33d1d872-9926-4ef3-9364-492444d0c7ea
 */
export const writeExcelText: WriteBytes = (from, start, end, to, at) => {
  if (start === end || !isFormula(from.bytes, start, end)) {
    const written = writeCsvText(from, start, end, to, at)
    return isMonth(from.bytes, start, end) ? copyPiece(YEAR_WORD, to, written) : written
  }
  const written = writeQuoted(from, start, end, to, at + 1)
  to.bytes[at] = QUOTE
  to.bytes[at + 1] = APOSTROPHE
  return written
}

function isMonth(from: Buffer, start: number, end: number): boolean {
  const length = end - start
  if (length < MIN_MONTH_BYTES || length > MAX_MONTH_BYTES || !isDigit(from[end - 1]!)) return false
  return MONTH.test(from.toString('utf8', start, end))
}

function isFormula(from: Buffer, start: number, end: number): boolean {
  if (MAY_START_FORMULA[from[start]!] === 0) return false
  const text = from.toString('utf8', start, end)
  // why: a single dash is a common placeholder, and not a formula
  return text !== '-' && FORMULA.test(text)
}
