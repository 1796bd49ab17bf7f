/**
 * A row as PostgreSQL sent it. Fields are read by index from the received bytes.
 * Knows no protocol and no format.
 */
import type { RawField } from './terms.ts'

/** Bytes and a view of them: reading a text four bytes at a time takes a third of the time. */
export interface ByteView {
  readonly bytes: Buffer
  readonly view: DataView
}

/**
 * Fields in text format, in UTF-8. One object is reused for all rows of an execution: it is valid only
 * during the call that receives it.
 */
export interface RowBytes extends ByteView {
  /** Offsets of the whole row in `bytes`; there may be other bytes between fields. */
  readonly start: number
  readonly end: number
  /** Offset of each field in `bytes`; -1 is SQL's null. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly fieldCount: number
}

export function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** @returns null also for index -1 and past the last field */
export function rawField(row: RowBytes, index: number): RawField {
  const start = index < row.fieldCount ? (row.starts[index] ?? -1) : -1
  return start < 0 ? null : row.bytes.toString('utf8', start, row.ends[index])
}

const LETTER_T = 0x74

/** PostgreSQL prints a boolean as `t` or `f`. */
export function isTrue({ bytes, starts, ends }: RowBytes, index: number): boolean {
  const start = starts[index]!
  return start >= 0 && ends[index] === start + 1 && bytes[start] === LETTER_T
}

/** For callers that need strings and have few rows. */
export function rawFields(row: RowBytes): RawField[] {
  return Array.from({ length: row.fieldCount }, (_, index) => rawField(row, index))
}
