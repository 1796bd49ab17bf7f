/**
 * Text as a field of CSV, in quotes only where a reader needs them. Bytes to bytes.
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
import { createEscaping } from '../escaped-text.ts'
import type { WriteBytes } from '../format.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const SEMICOLON = 0x3b
const BLANK = 0x20

/** Each of four bytes. */
const HIGH_BITS = 0x80808080
const ONES = 0x01010101
const BLANKS = 0x20202020
const QUOTES = 0x22222222
const COMMAS = 0x2c2c2c2c
const SEMICOLONS = 0x3b3b3b3b

/**
 * Writes the text and answers where it ends; there has to be room for it and its quotes. An empty text is
 * `""`, so that it is something else than null. In quotes is also what is no separator here, but may be one to
 * a reader who guesses (DuckDB, LibreOffice): a comma as well as a semicolon, and every control character. So is
 * a blank at either end, which some readers drop.
 */
export const writeCsvText: WriteBytes = (from, start, end, to, at) => {
  const { bytes, view } = from
  if (start === end || bytes[start] === BLANK || bytes[end - 1] === BLANK) {
    return writeQuoted(from, start, end, to, at)
  }
  let place = start
  let written = at
  for (; place + 4 <= end; place += 4, written += 4) {
    const four = view.getInt32(place, true)
    if (needsQuotes(four)) return writeQuoted(from, start, end, to, at)
    to.view.setInt32(written, four, true)
  }
  for (; place < end; place += 1) {
    const byte = bytes[place]!
    if (byte < BLANK || byte === QUOTE || byte === COMMA || byte === SEMICOLON) {
      return writeQuoted(from, start, end, to, at)
    }
    to.bytes[written++] = byte
  }
  return written
}

/** The same in quotes, whatever it holds. */
export const writeQuoted: WriteBytes = (from, start, end, to, at) => {
  to.bytes[at] = QUOTE
  const written = CSV_ESCAPING.write(from, start, end, to, at + 1)
  to.bytes[written] = QUOTE
  return written + 1
}

/** A quote is written twice. */
export const CSV_ESCAPING = createEscaping(
  Array.from({ length: 256 }, (_, byte) => (byte === QUOTE ? Buffer.from('""') : undefined)),
)

/** In `(x - ONES) & ~x` the high bit of a byte is set where it is 0, and of the lowest such byte only if it is. */
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
