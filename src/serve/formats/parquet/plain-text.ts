import { isUtf8 } from 'node:buffer'
import type { ByteWriter } from 'hyparquet-writer'

/** A text as PLAIN has it, after its length. A database in SQL_ASCII lets any bytes be text, and Parquet does not. */
export function writePlainText(to: ByteWriter, from: Buffer, start: number, end: number): void {
  const text = from.subarray(start, end)
  const valid = isUtf8(text) ? text : Buffer.from(text.toString())
  to.appendUint32(valid.length)
  to.appendBytes(valid)
}
