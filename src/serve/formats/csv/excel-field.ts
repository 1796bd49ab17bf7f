/** One field as Excel reads it where people write a decimal comma, and runs nothing of it. Bytes to bytes. */
import type { ColumnType } from '../../../model/terms.ts'
import { createWriteDayFirst } from '../day-first.ts'
import { POINT } from '../digits.ts'
import type { WriteBytes } from '../format.ts'
import { createWritePlain, writeRoubles } from '../plain-field.ts'
import { writeCsvText, writeQuoted } from './text.ts'

const APOSTROPHE = 0x27
const COMMA = 0x2c
const QUOTE = 0x22

/**
 * Digits pass through as they are. Excel keeps fifteen of them: what is longer stands in the file in full, and
 * is rounded by Excel; as text it would be in no sum.
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
      return createWriteDayFirst(type, timeZone, 'whole seconds')
  }
}

function withComma(write: WriteBytes): WriteBytes {
  return (from, start, end, to, at) => {
    const { bytes } = to
    const written = write(from, start, end, to, at)
    for (let place = at; place < written; place += 1) {
      if (bytes[place] === POINT) bytes[place] = COMMA
    }
    return written
  }
}

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
  if (MAY_BEGIN[from[start]!] === 0) return false
  const text = from.toString('utf8', start, end)
  // why: a lone dash is what people write for nothing, and there is nothing to compute
  return text !== '-' && FORMULA.test(text)
}
