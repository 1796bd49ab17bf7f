/**
 * JSON without the line ends that JSON allows in texts: U+0085, U+2028 and U+2029.
 * why: readers of lines cut a text there, such as Python's splitlines, httpx and Node 24
 */
import type { RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes } from '../../../model/terms.ts'
import { copyBytes } from '../digits.ts'
import { controlBytes, equalBytes, fourOf, isAny } from '../four-bytes.ts'
import type { WriteBytes } from '../format.ts'
import { reserve, type Output } from '../output.ts'

export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(LINE_ENDS, escapedLineEnd)
}

const LINE_ENDS = /[\u0085\u2028\u2029]/g

function escapedLineEnd(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const FIRST_OF_TWO = 0xc2
const FIRST_OF_THREE = 0xe2
const QUOTES = fourOf(0x22)
const BACKSLASHES = fourOf(0x5c)
const FIRSTS = fourOf(FIRST_OF_TWO)
/** The bit that differs between both first bytes. */
const FIRST_MASK = ~fourOf(FIRST_OF_TWO ^ FIRST_OF_THREE)

/** Length of an escaped byte. */
const MAX_ESCAPED_BYTES = '\\u0000'.length

/** U+0085 is `c2 85`, U+2028 and U+2029 are `e2 80 a8` and `e2 80 a9`. */
const [NEXT_LINE, ...SEPARATORS] = ['\u0085', '\u2028', '\u2029'].map(character =>
  Buffer.from(escapedLineEnd(character)),
)

/** The replacement of each byte; empty for a byte that may begin a line end. */
const ESCAPES = Array.from({ length: 256 }, (_, byte) => {
  if (byte === FIRST_OF_TWO || byte === FIRST_OF_THREE) return Buffer.alloc(0)
  // why: other bytes above ASCII are parts of characters
  const escaped = byte < 0x80 ? JSON.stringify(String.fromCharCode(byte)).slice(1, -1) : ''
  return escaped.length > 1 ? Buffer.from(escaped) : undefined
})

/** @param extraBytes written in addition to the escaped fields of the row */
export function reserveEscaped(output: Output, row: RowBytes, extraBytes: Bytes): void {
  const { bytes, start, end } = row
  let needed = extraBytes + (end - start) * MAX_ESCAPED_BYTES
  if (output.length + needed <= output.bytes.length) return
  // why: the estimate for a large row is far too high
  needed = extraBytes + end - start
  for (let index = start; index < end; index += 1) {
    if (ESCAPES[bytes[index]!] !== undefined) needed += MAX_ESCAPED_BYTES - 1
  }
  reserve(output, needed)
}

/** Writes text as `jsonText` does, without quotes. Bytes to bytes. */
export const writeEscaped: WriteBytes = (from, start, end, to, at) => {
  const { bytes } = from
  let index = start
  while (index < end) {
    while (index + 4 <= end) {
      const four = from.view.getInt32(index, true)
      if (isAnySpecial(four)) break
      to.view.setInt32(at, four, true)
      index += 4
      at += 4
    }
    for (const stop = Math.min(index + 4, end); index < stop; index += 1) {
      const byte = bytes[index]!
      const escaped = ESCAPES[byte]
      if (escaped === undefined) to.bytes[at++] = byte
      else if (escaped.length > 0) at = copyBytes(escaped, 0, escaped.length, to.bytes, at)
      else {
        const lineEnd = lineEndAt(bytes, index, end)
        if (lineEnd === undefined) to.bytes[at++] = byte
        else {
          at = copyBytes(lineEnd, 0, lineEnd.length, to.bytes, at)
          index += byte === FIRST_OF_TWO ? 1 : 2
        }
      }
    }
  }
  return at
}

function lineEndAt(from: Buffer, index: number, end: number): Buffer | undefined {
  if (from[index] === FIRST_OF_TWO) {
    return index + 1 < end && from[index + 1] === 0x85 ? NEXT_LINE : undefined
  }
  return index + 2 < end && from[index + 1] === 0x80
    ? SEPARATORS[from[index + 2]! - 0xa8]
    : undefined
}

/** Whether one of four bytes may be escaped. */
function isAnySpecial(four: number): boolean {
  return isAny(
    controlBytes(four) |
      equalBytes(four, QUOTES) |
      equalBytes(four, BACKSLASHES) |
      equalBytes(four & FIRST_MASK, FIRSTS),
  )
}
