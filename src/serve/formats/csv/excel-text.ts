/** Writes a text for Excel, which executes formulas and reads months as dates. */
import { byteTextOf, stringOf, type ByteText } from '../byte-text.ts'

/**
 * The start of a formula: a tab, a line break, or one of `=+-@`, also full-width, after blanks, quotes and invisible
 * characters.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}"']*[=+\-@＝＋－＠])/u
/** A letter or digit, also Cyrillic: the common case. */
const IS_NO_FORMULA = /^[\dA-Za-z\u00d0\u00d1]/
/** The name of a month and its year, such as a label `Январь 2026`. */
const MONTH =
  /^(?:\d\d? )?(?:январ[ья]|феврал[ья]|марта?|апрел[ья]|ма[йя]|ию[нл][ья]|августа?|сентябр[ья]|октябр[ья]|ноябр[ья]|декабр[ья]) \d{4}$/i
/** Length of a blank and a year. */
const YEAR_LENGTH = ' 2026'.length
const YEAR_WORD = byteTextOf(' года')
/**
 * A possible separator or a byte below a blank, since some readers guess separators (DuckDB, LibreOffice), a blank at
 * either end, since some readers trim it, and the empty text.
 */
const NEEDS_QUOTES = /[^ -\u00ff]|[",;]|^ | $|^$/

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
export function excelText(text: ByteText): ByteText {
  const isPlain = IS_NO_FORMULA.test(text) || !isFormula(stringOf(text))
  if (!isPlain) return `"'${text.replaceAll('"', '""')}"`
  const mayBeMonth = text.charAt(text.length - YEAR_LENGTH) === ' '
  if (mayBeMonth && MONTH.test(stringOf(text))) return text + YEAR_WORD
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function isFormula(text: string): boolean {
  // why: a single dash is a common placeholder, and not a formula
  return text !== '-' && FORMULA.test(text)
}
