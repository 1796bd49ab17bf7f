/** Text as a JSON string, in UTF-8, as JSON.stringify would have it. */
import type { Viewed } from '../../../model/row-bytes.ts'

/** More bytes than one byte of text may become: `\u001f`. */
export const MOST_ESCAPED_BYTES = 6

const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_PLAIN = 0x20

/** What follows the backslash; 0 is `u00` and two digits. */
const SHORT = new Uint8Array(FIRST_PLAIN)
for (const [byte, letter] of [
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0c, 'f'],
  [0x0d, 'r'],
] as const) {
  SHORT[byte] = letter.charCodeAt(0)
}
const DIGITS = Buffer.from('0123456789abcdef')
const ZERO = 0x30
const LETTER_U = 0x75

/** Each of four bytes. */
const HIGH_BITS = 0x80808080
const ONES = 0x01010101
const QUOTES = 0x22222222
const BACKSLASHES = 0x5c5c5c5c
const FIRST_PLAINS = 0x20202020

/** Writes the text with its quotes, answers where it ends; there has to be room for it. */
export function writeJsonText(
  { bytes: from, view: fromView }: Viewed,
  start: number,
  end: number,
  { bytes: to, view: toView }: Viewed,
  at: number,
): number {
  to[at++] = QUOTE
  let place = start
  while (place < end) {
    while (place + 4 <= end) {
      const four = fromView.getInt32(place, true)
      if (hasEscaped(four)) break
      toView.setInt32(at, four, true)
      place += 4
      at += 4
    }
    for (const stop = Math.min(place + 4, end); place < stop; place += 1) {
      const byte = from[place]!
      if (byte >= FIRST_PLAIN && byte !== QUOTE && byte !== BACKSLASH) to[at++] = byte
      else at = escape(byte, to, at)
    }
  }
  to[at++] = QUOTE
  return at
}

/**
 * Whether one of four bytes is a quote, a backslash or below a blank. In `(x - ONES) & ~x` the high bit
 * of a byte is set where the byte is 0, and of the lowest such byte only if it is.
 */
function hasEscaped(four: number): boolean {
  const quotes = four ^ QUOTES
  const backslashes = four ^ BACKSLASHES
  const found =
    ((four - FIRST_PLAINS) & ~four) |
    ((quotes - ONES) & ~quotes) |
    ((backslashes - ONES) & ~backslashes)
  return (found & HIGH_BITS) !== 0
}

function escape(byte: number, to: Buffer, at: number): number {
  to[at++] = BACKSLASH
  if (byte >= FIRST_PLAIN) to[at++] = byte
  else if (SHORT[byte] !== 0) to[at++] = SHORT[byte]!
  else {
    to[at++] = LETTER_U
    to[at++] = ZERO
    to[at++] = ZERO
    to[at++] = DIGITS[byte >> 4]!
    to[at++] = DIGITS[byte & 15]!
  }
  return at
}

/** At least the length that all of it has when it is text. */
export function escapedLength(from: Buffer, start: number, end: number): number {
  let length = end - start
  for (let place = start; place < end; place += 1) {
    const byte = from[place]!
    if (byte < FIRST_PLAIN) length += MOST_ESCAPED_BYTES - 1
    else if (byte === QUOTE || byte === BACKSLASH) length += 1
  }
  return length
}
