/**
 * Writes text as a field of CSV, quoted only if necessary. Bytes to bytes.
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
import { createEscaping } from '../escaped-text.ts'
import type { WriteBytes } from '../format.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const SEMICOLON = 0x3b
const BLANK = 0x20

/** Masks for four bytes at a time. */
const HIGH_BITS = 0x80808080
const ONES = 0x01010101
const BLANKS = 0x20202020
const QUOTES = 0x22222222
const COMMAS = 0x2c2c2c2c
const SEMICOLONS = 0x3b3b3b3b

/**
 * Writes the text and returns its end; space must be reserved for it and its quotes. An empty text is `""`, since
 * null is an empty field. Also quoted: a comma, a semicolon or a control character, since some readers guess the
 * separator (DuckDB, LibreOffice), and a blank at either end, since some readers trim it.
 */
export const writeCsvText: WriteBytes = (from, start, end, to, at) => {
  const { bytes, view } = from
  if (start === end || bytes[start] === BLANK || bytes[end - 1] === BLANK) {
    return writeQuoted(from, start, end, to, at)
  }
  let index = start
  let written = at
  for (; index + 4 <= end; index += 4, written += 4) {
    const four = view.getInt32(index, true)
    if (needsQuotes(four)) return writeQuoted(from, start, end, to, at)
    to.view.setInt32(written, four, true)
  }
  for (; index < end; index += 1) {
    const byte = bytes[index]!
    if (byte < BLANK || byte === QUOTE || byte === COMMA || byte === SEMICOLON) {
      return writeQuoted(from, start, end, to, at)
    }
    to.bytes[written++] = byte
  }
  return written
}

/** Writes the text in quotes, even if it needs none. */
export const writeQuoted: WriteBytes = (from, start, end, to, at) => {
  to.bytes[at] = QUOTE
  const written = CSV_ESCAPING.write(from, start, end, to, at + 1)
  to.bytes[written] = QUOTE
  return written + 1
}

/** Doubles quotes. */
export const CSV_ESCAPING = createEscaping(
  Array.from({ length: 256 }, (_, byte) => (byte === QUOTE ? Buffer.from('""') : undefined)),
)

/** `(x - ONES) & ~x` sets the high bit of a byte that is 0; bytes above the lowest such byte may be false positives. */
function needsQuotes(four: number): boolean {
  const quotes = four ^ QUOTES
  const commas = four ^ COMMAS
  const semicolons = four ^ SEMICOLONS
  const found =
    ((four - BLANKS) & ~four) |
    ((quotes - ONES) & ~quotes) |
    ((commas - ONES) & ~commas) |
    ((semicolons - ONES) & ~semicolons)
  return (found & HIGH_BITS) !== 0
}
