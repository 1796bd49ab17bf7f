import { isUtf8 } from 'node:buffer'
import type { ByteWriter } from 'hyparquet-writer'

/** Writes a text in PLAIN encoding, with its length. Invalid UTF-8 of an SQL_ASCII database is replaced. */
export function writePlainText(to: ByteWriter, from: Buffer, start: number, end: number): void {
  const text = from.subarray(start, end)
  const valid = isUtf8(text) ? text : Buffer.from(text.toString())
  to.appendUint32(valid.length)
  to.appendBytes(valid)
}
