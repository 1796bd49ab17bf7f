/** Text as a JSON string, in UTF-8, as JSON.stringify would have it. */

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

/** Longer runs of plain bytes are copied at once. */
const FEW_BYTES = 64

/** Writes the text with its quotes, answers where it ends; there has to be room for it. */
export function writeJsonText(
  from: Buffer,
  start: number,
  end: number,
  to: Buffer,
  at: number,
): number {
  to[at++] = QUOTE
  if (end - start > FEW_BYTES) at = writeLong(from, start, end, to, at)
  else {
    for (let place = start; place < end; place += 1) {
      const byte = from[place]!
      if (byte >= FIRST_PLAIN && byte !== QUOTE && byte !== BACKSLASH) to[at++] = byte
      else at = escape(byte, to, at)
    }
  }
  to[at++] = QUOTE
  return at
}

function writeLong(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  let copied = start
  for (let place = start; place < end; place += 1) {
    const byte = from[place]!
    if (byte >= FIRST_PLAIN && byte !== QUOTE && byte !== BACKSLASH) continue
    at += from.copy(to, at, copied, place)
    at = escape(byte, to, at)
    copied = place + 1
  }
  return at + from.copy(to, at, copied, end)
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
