/** Bytes of an answer, as they are written: a chunk at a time. Knows nothing of rows. */
import { isUtf8 } from 'node:buffer'
import type { Bytes } from '../terms.ts'

export interface Output {
  /** Written up to `length`; whoever writes has made room before. */
  bytes: Buffer
  length: Bytes
}

/** One write to the socket; larger ones only cost memory. */
export const CHUNK_BYTES: Bytes = 64 * 1024
/** Of one more row than a chunk holds. */
const SPARE_BYTES: Bytes = 24 * 1024

export function createOutput(): Output {
  return { bytes: emptyChunk(), length: 0 }
}

/** Has room for so many bytes more. */
export function makeRoom(output: Output, count: Bytes): void {
  const needed = output.length + count
  if (needed <= output.bytes.length) return
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, output.bytes.length * 2))
  output.bytes.copy(larger, 0, 0, output.length)
  output.bytes = larger
}

export function writeText(output: Output, text: string): void {
  makeRoom(output, Buffer.byteLength(text))
  output.length += output.bytes.write(text, output.length)
}

/** What has been written, and the output is empty. */
export function takeChunk(output: Output): Buffer {
  const chunk = output.bytes.subarray(0, output.length)
  output.bytes = emptyChunk()
  output.length = 0
  // why: a database in SQL_ASCII lets any bytes be text, and no answer may be anything but UTF-8
  return isUtf8(chunk) ? chunk : Buffer.from(chunk.toString())
}

function emptyChunk(): Buffer {
  return Buffer.allocUnsafeSlow(CHUNK_BYTES + SPARE_BYTES)
}
