/**
 * Rows as PostgreSQL sent them. Fields are read by index from the received bytes. Knows no format.
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
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

/** A sequence of complete DataRow messages. Its bytes do not change while it is read. */
export type RowBatch = Buffer

export interface RowReader {
  /** Reads the message at an offset of the batch and advances `nextOffset`. @returns always the same object */
  read(batch: RowBatch, offset: number): RowBytes
  /** Call it after the last row: the reader keeps no batch alive. */
  release(): void
  /** Offset of the next message; the batch's length after the last one. */
  readonly nextOffset: number
}

/** One byte of type, four of length, two of the number of fields. */
const FIELDS_AT = 7
const FEW_FIELDS = 32
const NONE: Buffer = Buffer.alloc(0)
const VIEW_OF_NONE = viewOf(NONE)

export function createRowReader(): RowReader {
  const row = {
    bytes: NONE,
    view: VIEW_OF_NONE,
    start: 0,
    end: 0,
    starts: new Int32Array(FEW_FIELDS),
    ends: new Int32Array(FEW_FIELDS),
    fieldCount: 0,
  }
  let nextOffset = 0

  function resize(fieldCount: number): void {
    row.fieldCount = fieldCount
    if (fieldCount <= row.starts.length) return
    row.starts = new Int32Array(fieldCount)
    row.ends = new Int32Array(fieldCount)
  }

  return {
    read(batch, offset) {
      if (row.bytes !== batch) {
        row.bytes = batch
        row.view = viewOf(batch)
      }
      resize((batch[offset + 5]! << 8) | batch[offset + 6]!)
      const { starts, ends, fieldCount } = row
      let at = offset + FIELDS_AT
      row.start = at
      for (let index = 0; index < fieldCount; index += 1) {
        const length =
          (batch[at]! << 24) | (batch[at + 1]! << 16) | (batch[at + 2]! << 8) | batch[at + 3]!
        at += 4
        starts[index] = length < 0 ? -1 : at
        if (length > 0) at += length
        ends[index] = at
      }
      row.end = at
      nextOffset = offset + 1 + batch.readUInt32BE(offset + 1)
      return row
    },
    release() {
      row.bytes = NONE
      row.view = VIEW_OF_NONE
    },
    get nextOffset() {
      return nextOffset
    },
  }
}
