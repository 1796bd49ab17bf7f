/**
 * A row as PostgreSQL sent it, where it lies: what hands it over and what writes it share this file.
 * Knows no protocol and no format.
 */
import type { RawField } from './terms.ts'

/** Bytes, and the same four at a time: looking at a text byte by byte takes three times as long. */
export interface Viewed {
  readonly bytes: Buffer
  readonly view: DataView
}

/**
 * Fields in text format, in UTF-8. One object is used for all rows of a run: it is valid during the
 * call that hands it over, and never after.
 */
export interface RowBytes extends Viewed {
  /** Where the row as a whole lies in `bytes`; between fields there may be other bytes. */
  readonly start: number
  readonly end: number
  /** Where each field begins in `bytes`; -1 is SQL's null. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly fieldCount: number
}

export function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** @param place null is what stands at -1, and past the last field */
export function rawField(row: RowBytes, place: number): RawField {
  const start = place < row.fieldCount ? (row.starts[place] ?? -1) : -1
  return start < 0 ? null : row.bytes.toString('utf8', start, row.ends[place])
}

const LETTER_T = 0x74

/** PostgreSQL prints a boolean as `t` or `f`. */
export function isTrue({ bytes, starts, ends }: RowBytes, place: number): boolean {
  const start = starts[place]!
  return start >= 0 && ends[place] === start + 1 && bytes[start] === LETTER_T
}

/** For those who need strings, and have few rows. */
export function rawFields(row: RowBytes): RawField[] {
  return Array.from({ length: row.fieldCount }, (_, place) => rawField(row, place))
}
