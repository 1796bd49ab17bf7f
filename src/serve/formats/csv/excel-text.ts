/** Text as a cell of CSV that a spreadsheet runs nothing of. Bytes to bytes. */
import type { WriteBytes } from '../format.ts'
import { writeCsvText, writeQuoted } from './text.ts'

const APOSTROPHE = 0x27
const QUOTE = 0x22

/** What a formula begins with, also full-width, behind blanks, marks that nobody sees, and quotes. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}"']*[=+\-@＝＋－＠])/u

/** By the first byte: whether the text may be a formula. Letters and digits, Cyrillic too, are not looked at twice. */
const MAY_BEGIN = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isCyrillic = byte === 0xd0 || byte === 0xd1
  return (byte >= 0x80 && !isCyrillic) || FORMULA.test(`${String.fromCharCode(byte)}=`) ? 1 : 0
})

/**
 * Writes the text as `writeCsvText` does; one that a spreadsheet would take for a formula has an apostrophe
 * before it, inside quotes.
 *
 * why: a spreadsheet shows that apostrophe, so nothing else gets one. What Excel takes for a number or a date
 * (`0012`, `1-2`, an account of twenty digits) is written as it is: to Excel the quotes of CSV mean nothing,
 * `="0012"` would be a formula of ours, an unseen mark would break every comparison. XLSX has types, and newer
 * Excels can be told to leave such texts alone.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 * @see https://support.microsoft.com/office/33d1d872-9926-4ef3-9364-492444d0c7ea
 */
export const writeExcelText: WriteBytes = (from, start, end, to, at) => {
  if (start === end || !isFormula(from.bytes, start, end)) {
    return writeCsvText(from, start, end, to, at)
  }
  const written = writeQuoted(from, start, end, to, at + 1)
  to.bytes[at] = QUOTE
  to.bytes[at + 1] = APOSTROPHE
  return written
}

function isFormula(from: Buffer, start: number, end: number): boolean {
  const first = from[start]!
  if (MAY_BEGIN[first] === 0) return false
  // why: names begin with «, and the rest takes a quarter of a microsecond
  if (first === 0xc2 && from[start + 1] === 0xab) return false
  const text = from.toString('utf8', start, end)
  // why: a lone dash is what people write for nothing, and there is nothing to compute
  return text !== '-' && FORMULA.test(text)
}
