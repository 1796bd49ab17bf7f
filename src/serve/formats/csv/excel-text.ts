/** Writes a text for Excel, which executes formulas and reads months as dates. Bytes to bytes. */
import { BLANK, QUOTE } from '../digits.ts'
import type { WriteBytes } from '../format.ts'
import { pieceOf, writePiece } from '../four-bytes.ts'
import { writeCsvText, writeQuoted } from './text.ts'

/**
 * The start of a formula: a tab, a line break, or one of `=+-@`, also full-width, after blanks, quotes and invisible
 * characters. A single dash is a common placeholder, and not a formula.
 */
const FORMULA = /^(?!-$)(?:[\t\r\n]|[\s\p{Cc}\p{Cf}"']*[=+\-@＝＋－＠])/u
/** By the first byte: 1 for letters and digits, also Cyrillic, which begin no formula. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => {
  return byte === 0xd0 || byte === 0xd1 || /[\dA-Za-z]/.test(String.fromCharCode(byte)) ? 1 : 0
})
/** The name of a month and its year, such as a label `Январь 2026`. */
const MONTH =
  /^(?:\d\d? )?(?:январ[ья]|феврал[ья]|марта?|апрел[ья]|ма[йя]|ию[нл][ья]|августа?|сентябр[ья]|октябр[ья]|ноябр[ья]|декабр[ья]) \d{4}$/i
/** Length of a blank and a year. */
const YEAR_LENGTH = ' 2026'.length
const YEAR_WORD = pieceOf(' года')
const APOSTROPHE = 0x27

/**
 * A text that a spreadsheet would read as a formula is quoted and begins with an apostrophe. A month and its year
 * become `Январь 2026 года`, because spreadsheets read `Январь 2026` as 1 January; quotes and no-break spaces do not
 * prevent it.
 *
 * why: spreadsheets show the apostrophe, so only formulas have one. Texts that Excel reads as a number or a date
 * (`0012`, `1-2`, an account of twenty digits) are written unchanged: Excel ignores quotes, `="0012"` is itself a
 * formula, and an invisible character would break comparisons. XLSX has types, and newer versions of Excel have an
 * option that prevents the conversion.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 * @see https://support.microsoft.com/office/33d1d872-9926-4ef3-9364-492444d0c7ea
 */
export const writeExcelText: WriteBytes = (from, start, end, to, at) => {
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
  return mayBeMonth && MONTH.test(bytes.toString('utf8', start, end))
    ? writePiece(YEAR_WORD, to, written)
    : written
}
