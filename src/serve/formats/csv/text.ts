/**
 * Writes text as a field of CSV, quoted only if necessary. Bytes to bytes.
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
import { BLANK, COMMA, QUOTE, SEMICOLON } from '../digits.ts'
import { controlBytes, equalBytes, fourOf, isAny } from '../four-bytes.ts'
import type { WriteBytes } from '../format.ts'

const QUOTES = fourOf(QUOTE)
const COMMAS = fourOf(COMMA)
const SEMICOLONS = fourOf(SEMICOLON)

/** Maximum length of an escaped byte. */
export const MAX_ESCAPED_BYTES = 2

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

function needsQuotes(four: number): boolean {
  return isAny(
    controlBytes(four) |
      equalBytes(four, QUOTES) |
      equalBytes(four, COMMAS) |
      equalBytes(four, SEMICOLONS),
  )
}

/** Writes the text in quotes, even if it needs none. */
export const writeQuoted: WriteBytes = ({ bytes: from }, start, end, { bytes: to }, at) => {
  let written = at
  to[written++] = QUOTE
  for (let index = start; index < end; index += 1) {
    const byte = from[index]!
    if (byte === QUOTE) to[written++] = QUOTE
    to[written++] = byte
  }
  to[written] = QUOTE
  return written + 1
}
