/** Writes text with some bytes escaped. Bytes to bytes. */
import type { RowBytes } from '../../model/row-bytes.ts'
import type { Bytes } from '../../model/terms.ts'
import { copyBytes } from './digits.ts'
import type { WriteBytes } from './format.ts'
import { reserve, type Output } from './output.ts'

/** The replacement of each byte; undefined for an unchanged byte. */
type Escapes = ReadonlyArray<Buffer | Escape | undefined>

/** A byte that is escaped only before certain other bytes. */
export interface Escape {
  /** Number of bytes from `index` that are escaped together. */
  readonly byteCount: number
  /** Length of the replacement. */
  readonly length: number
  /** Undefined if the byte is unchanged. */
  find(from: Buffer, index: number, end: number): Buffer | undefined
}

export interface Escaping {
  readonly write: WriteBytes
  /** Maximum length of one escaped byte. */
  readonly maxBytes: number
  /** Upper bound of the length of the escaped text. */
  lengthOf(from: Buffer, start: number, end: number): Bytes
}

/** @param escapes defined only for bytes that `isAnySpecial` finds */
export function createEscaping(escapes: Escapes): Escaping {
  return {
    maxBytes: Math.max(...escapes.map(escape => escape?.length ?? 1)),
    lengthOf(from, start, end) {
      let length = end - start
      for (let index = start; index < end; index += 1) {
        const escape = escapes[from[index]!]
        if (escape !== undefined) length += escape.length - 1
      }
      return length
    },
    write({ bytes: from, view: fromView }, start, end, { bytes: to, view: toView }, at) {
      let index = start
      while (index < end) {
        while (index + 4 <= end) {
          const four = fromView.getInt32(index, true)
          if (isAnySpecial(four)) break
          toView.setInt32(at, four, true)
          index += 4
          at += 4
        }
        for (const stop = Math.min(index + 4, end); index < stop; index += 1) {
          const escape = escapes[from[index]!]
          // why: one condition for both cases makes texts with punctuation twice as slow
          if (escape === undefined) {
            to[at++] = from[index]!
            continue
          }
          const escaped = escape instanceof Uint8Array ? escape : escape.find(from, index, end)
          if (escaped === undefined) to[at++] = from[index]!
          else {
            at = copyBytes(escaped, 0, escaped.length, to, at)
            if (!(escape instanceof Uint8Array)) index += escape.byteCount - 1
          }
        }
      }
      return at
    },
  }
}

/** @param extraBytes written in addition to the row's fields */
export function reserveRow(
  output: Output,
  { bytes, start, end }: RowBytes,
  extraBytes: Bytes,
  escaping: Escaping,
): void {
  const estimate = extraBytes + (end - start) * escaping.maxBytes
  if (output.length + estimate <= output.bytes.length) return
  // why: the estimate for a large row is far too high, so its length is counted
  reserve(output, extraBytes + escaping.lengthOf(bytes, start, end))
}

/** Masks for four bytes at a time. */
const HIGH_BITS = 0x80808080
const ONES = 0x01010101
const BLANKS = 0x20202020
/** `"` and `&`, without the bit that differs. */
const QUOTES = 0x22222222
const QUOTE_MASK = ~0x04040404
/** `<` and `>`. */
const ANGLES = 0x3c3c3c3c
const ANGLE_MASK = ~0x02020202
/** Backslash, underscore and the two characters between them. */
const BACKSLASHES = 0x5c5c5c5c
const BACKSLASH_MASK = ~0x03030303
/** The first bytes of U+0085, U+2028 and U+FFFF, `c2`, `e2` and `ef`, and some others, but none of Cyrillic. */
const FIRST_BYTES = 0xc2c2c2c2 | 0
const FIRST_MASK = ~0x2d2d2d2d

/**
 * Whether one of four bytes is a control character below 0x20, one of `"&<>\]^_`, or as in `FIRST_BYTES`.
 * `(x - ONES) & ~x` sets the high bit of a byte that is 0; bytes above the lowest such byte may be false positives.
 */
function isAnySpecial(four: number): boolean {
  const quotes = (four & QUOTE_MASK) ^ QUOTES
  const angles = (four & ANGLE_MASK) ^ ANGLES
  const backslashes = (four & BACKSLASH_MASK) ^ BACKSLASHES
  const firsts = (four & FIRST_MASK) ^ FIRST_BYTES
  const found =
    ((four - BLANKS) & ~four) |
    ((quotes - ONES) & ~quotes) |
    ((angles - ONES) & ~angles) |
    ((backslashes - ONES) & ~backslashes) |
    ((firsts - ONES) & ~firsts)
  return (found & HIGH_BITS) !== 0
}
