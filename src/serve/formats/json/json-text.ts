/** Text as a JSON string, in UTF-8, as JSON.stringify would have it. */
import { createWriteEscaped, escapedLength } from '../escaped-text.ts'
import type { WriteBytes } from '../format.ts'

/** More bytes than one byte of text may become: `\u001f`. */
export const MOST_ESCAPED_BYTES = 6

const QUOTE = 0x22

const ESCAPES = Array.from({ length: 256 }, (_, byte) => {
  // why: above ASCII a byte is a part of a character
  const escaped = byte < 0x80 ? JSON.stringify(String.fromCharCode(byte)).slice(1, -1) : ''
  return escaped.length > 1 ? Buffer.from(escaped) : undefined
})

const writeEscaped = createWriteEscaped(ESCAPES)

/** With its quotes. */
export const writeJsonText: WriteBytes = (from, start, end, to, at) => {
  to.bytes[at] = QUOTE
  const written = writeEscaped(from, start, end, to, at + 1)
  to.bytes[written] = QUOTE
  return written + 1
}

/** At least the length that all of it has when it is text. */
export function jsonLength(from: Buffer, start: number, end: number): number {
  return escapedLength(ESCAPES, from, start, end)
}
