/** Text of which some bytes are written in another way. Bytes to bytes. */
import type { RowBytes } from '../../model/row-bytes.ts'
import type { Bytes } from '../../model/terms.ts'
import type { WriteBytes } from './format.ts'
import { makeRoom, type Output } from './output.ts'

/** By byte: what is written for it; undefined is the byte itself. */
type Escapes = ReadonlyArray<Buffer | Escape | undefined>

/** For bytes that are escaped only before certain others. */
export interface Escape {
  /** The bytes from `place` on that are escaped together. */
  readonly byteCount: number
  /** Of what is written for them. */
  readonly length: number
  /** Undefined where the byte stands for itself. */
  find(from: Buffer, place: number, end: number): Buffer | undefined
}

export interface Escaping {
  readonly write: WriteBytes
  /** That one byte of text becomes at most. */
  readonly mostBytes: number
  /** At least the length that the text has once it is written. */
  lengthOf(from: Buffer, start: number, end: number): Bytes
}

/** @param escapes only of control characters, and of bytes that `isAnySpecial` finds */
export function createEscaping(escapes: Escapes): Escaping {
  return {
    mostBytes: Math.max(...escapes.map(escape => escape?.length ?? 1)),
    lengthOf(from, start, end) {
      let length = end - start
      for (let place = start; place < end; place += 1) {
        const escape = escapes[from[place]!]
        if (escape !== undefined) length += escape.length - 1
      }
      return length
    },
    write({ bytes: from, view: fromView }, start, end, { bytes: to, view: toView }, at) {
      let place = start
      while (place < end) {
        while (place + 4 <= end) {
          const four = fromView.getInt32(place, true)
          if (isAnySpecial(four)) break
          toView.setInt32(at, four, true)
          place += 4
          at += 4
        }
        for (const stop = Math.min(place + 4, end); place < stop; place += 1) {
          const escape = escapes[from[place]!]
          const escaped = escape instanceof Uint8Array ? escape : escape?.find(from, place, end)
          if (escaped === undefined) to[at++] = from[place]!
          else {
            for (const byte of escaped) to[at++] = byte
            if (!(escape instanceof Uint8Array)) place += escape!.byteCount - 1
          }
        }
      }
      return at
    },
  }
}

/** @param ownBytes that are written beside the row's fields */
export function makeRoomForRow(
  output: Output,
  { bytes, start, end }: RowBytes,
  ownBytes: Bytes,
  escaping: Escaping,
): void {
  const most = ownBytes + (end - start) * escaping.mostBytes
  if (output.length + most <= output.bytes.length) return
  // why: what large rows need is counted, and not feared
  makeRoom(output, ownBytes + escaping.lengthOf(bytes, start, end))
}

/** Each of four bytes. */
const HIGH_BITS = 0x80808080
const ONES = 0x01010101
const BLANKS = 0x20202020
/** `"` and `&`, without the bit in which they differ. */
const QUOTES = 0x22222222
const QUOTE_MASK = ~0x04040404
/** `<` and `>`. */
const ANGLES = 0x3c3c3c3c
const ANGLE_MASK = ~0x02020202
/** Backslash and underscore, and the two between them. */
const BACKSLASHES = 0x5c5c5c5c
const BACKSLASH_MASK = ~0x03030303
/** The first of U+F000 to U+FFFF. */
const HIGHEST_OF_THREE = 0xefefefef | 0

/**
 * Whether one of four bytes is below a blank or one of `"&<>\]^_` and 0xEF. In `(x - ONES) & ~x` the high bit of a
 * byte is set where the byte is 0, and of the lowest such byte only if it is.
 */
function isAnySpecial(four: number): boolean {
  const quotes = (four & QUOTE_MASK) ^ QUOTES
  const angles = (four & ANGLE_MASK) ^ ANGLES
  const backslashes = (four & BACKSLASH_MASK) ^ BACKSLASHES
  const highest = four ^ HIGHEST_OF_THREE
  const found =
    ((four - BLANKS) & ~four) |
    ((quotes - ONES) & ~quotes) |
    ((angles - ONES) & ~angles) |
    ((backslashes - ONES) & ~backslashes) |
    ((highest - ONES) & ~highest)
  return (found & HIGH_BITS) !== 0
}
