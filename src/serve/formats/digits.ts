/** Reads and writes bytes: digits and dates, whose length callers must check first, and four at a time. */
import type { ByteView } from '../../model/row-bytes.ts'
import type { Bytes } from '../../model/terms.ts'

export const QUOTE = 0x22
export const MINUS = 0x2d
export const ZERO = 0x30
export const POINT = 0x2e
export const BLANK = 0x20
const NINE = 0x39
export const PLUS = 0x2b
const COLON = 0x3a
export const COMMA = 0x2c
export const SEMICOLON = 0x3b

export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}

/** The offset of the point in `-?\d+(\.\d+)?`, or `end` if there is none; -1 if it is not such a number. */
export function pointOf(from: Buffer, start: number, end: number): number {
  const firstDigit = start < end && from[start] === MINUS ? start + 1 : start
  const point = digitsEnd(from, firstDigit, end)
  if (point === firstDigit) return -1
  if (point === end) return end
  const isDecimal =
    from[point] === POINT && point + 1 < end && digitsEnd(from, point + 1, end) === end
  return isDecimal ? point : -1
}

function digitsEnd(from: Buffer, start: number, end: number): number {
  let index = start
  while (index < end && isDigit(from[index]!)) index += 1
  return index
}

/** `\d{4}-\d\d-\d\d` */
export function isDateText(from: Buffer, at: number): boolean {
  return isMonth(from, at) && isDay(from, at + 7)
}

/** `\d{4}-\d\d` */
export function isMonth(from: Buffer, at: number): boolean {
  return areTwoDigits(from, at) && areTwoDigits(from, at + 2) && isDay(from, at + 4)
}

/** `-\d\d` */
export function isDay(from: Buffer, at: number): boolean {
  return from[at] === MINUS && areTwoDigits(from, at + 1)
}

/** `.{10} \d\d:\d\d:\d\d(\.\d+)?\+00`; the caller must check the date in the first ten bytes. */
export function isUtcInstant(from: Buffer, start: number, end: number): boolean {
  const fraction = start + SECONDS_LENGTH
  const zone = end - ZONE_LENGTH
  return (
    zone >= fraction &&
    from[zone] === PLUS &&
    from[zone + 1] === ZERO &&
    from[zone + 2] === ZERO &&
    from[start + 10] === BLANK &&
    areTwoDigits(from, start + 11) &&
    from[start + 13] === COLON &&
    areTwoDigits(from, start + 14) &&
    from[start + 16] === COLON &&
    areTwoDigits(from, start + 17) &&
    (zone === fraction ||
      (from[fraction] === POINT &&
        fraction + 1 < zone &&
        digitsEnd(from, fraction + 1, zone) === zone))
  )
}

/** `2026-03-01 10:00:00`; an optional fraction and the zone follow. */
export const SECONDS_LENGTH = 19
export const ZONE_LENGTH = '+00'.length

function areTwoDigits(from: Buffer, at: number): boolean {
  return isDigit(from[at]!) && isDigit(from[at + 1]!)
}

/** Reads a number of two digits. */
export function readTwo(from: Buffer, at: number): number {
  return (from[at]! - ZERO) * 10 + from[at + 1]! - ZERO
}

/** Minutes of a day, from `23:59`. */
export function readMinutes(from: Buffer, at: number): number {
  return readTwo(from, at) * 60 + readTwo(from, at + 3)
}

/** @returns the offset after the written bytes, as do all write functions here */
export function writeTwo(value: number, to: Buffer, at: number): number {
  const tens = (value / 10) | 0
  to[at] = ZERO + tens
  to[at + 1] = ZERO + value - tens * 10
  return at + 2
}

/** Writes `23:59`. */
export function writeMinutes(minutes: number, to: Buffer, at: number): number {
  const hours = (minutes / 60) | 0
  const colon = writeTwo(hours, to, at)
  to[colon] = COLON
  return writeTwo(minutes - hours * 60, to, colon + 1)
}

export function copyBytes(
  from: Buffer,
  start: number,
  end: number,
  to: Buffer,
  at: number,
): number {
  // why: for short fields, a call of Buffer.copy is slower than this loop
  for (let index = start; index < end; index += 1) to[at++] = from[index]!
  return at
}

const ONES = 0x01010101
const HIGH_BITS = 0x80808080
const BLANKS = fourOf(0x20)

export function fourOf(byte: number): number {
  return Math.imul(byte, ONES)
}

/** Not 0 in `isAny` if one of the bytes is the byte of `wanted`. */
export function equalBytes(four: number, wanted: number): number {
  const zeros = four ^ wanted
  return (zeros - ONES) & ~zeros
}

/** Not 0 in `isAny` if one of the bytes is below 0x20. */
export function controlBytes(four: number): number {
  return (four - BLANKS) & ~four
}

export function isAny(found: number): boolean {
  return (found & HIGH_BITS) !== 0
}

/** A constant text. */
export interface Piece {
  readonly length: Bytes
  readonly words: Int32Array
}

/** Bytes that `writePiece` may write after the end of a piece. */
export const PIECE_OVERHANG: Bytes = 3

export function pieceOf(text: string): Piece {
  const length = Buffer.byteLength(text)
  const bytes = Buffer.alloc(Math.ceil(length / 4) * 4)
  bytes.write(text)
  const words = Int32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readInt32LE(at * 4))
  return { length, words }
}

/** @returns the end of the piece */
export function writePiece({ words, length }: Piece, { view }: ByteView, at: number): number {
  for (let index = 0; index < words.length; index += 1) {
    view.setInt32(at + index * 4, words[index]!, true)
  }
  return at + length
}
