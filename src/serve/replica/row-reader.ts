/** Where the fields of a DataRow message lie. @see https://www.postgresql.org/docs/current/protocol-message-formats.html */
import { viewOf, type RowBytes } from '../../model/row-bytes.ts'
import type { RawField } from '../../model/terms.ts'

export interface RowReader {
  /** @param start of the number of fields, which is where the message's body begins */
  read(bytes: Buffer, start: number, end: number): RowBytes
  /** The same row, of what pg has made of it. */
  ofStrings(fields: readonly RawField[]): RowBytes
}

const FEW_FIELDS = 32

/** Every answer is the same object. */
export function createRowReader(): RowReader {
  const none: Buffer = Buffer.alloc(0)
  const row = {
    bytes: none,
    view: viewOf(none),
    start: 0,
    end: 0,
    starts: new Int32Array(FEW_FIELDS),
    ends: new Int32Array(FEW_FIELDS),
    fieldCount: 0,
  }

  function makeRoom(fieldCount: number): void {
    row.fieldCount = fieldCount
    if (fieldCount <= row.starts.length) return
    row.starts = new Int32Array(fieldCount)
    row.ends = new Int32Array(fieldCount)
  }

  function look(bytes: Buffer): void {
    row.bytes = bytes
    row.view = viewOf(bytes)
  }

  return {
    read(bytes, start, end) {
      makeRoom((bytes[start]! << 8) | bytes[start + 1]!)
      const { starts, ends, fieldCount } = row
      if (row.bytes !== bytes) look(bytes)
      row.start = start
      row.end = end
      let at = start + 2
      for (let place = 0; place < fieldCount; place += 1) {
        const length =
          (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
        at += 4
        starts[place] = length < 0 ? -1 : at
        if (length > 0) at += length
        ends[place] = at
      }
      return row
    },
    ofStrings(fields) {
      makeRoom(fields.length)
      const texts = fields.map(field => Buffer.from(field ?? ''))
      look(Buffer.concat(texts))
      row.start = 0
      row.end = row.bytes.length
      let at = 0
      for (const [place, text] of texts.entries()) {
        row.starts[place] = fields[place] === null ? -1 : at
        at += text.length
        row.ends[place] = at
      }
      return row
    },
  }
}
