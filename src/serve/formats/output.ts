/** The output buffer of a body, taken chunk by chunk. Knows nothing of rows. */
import { isUtf8 } from 'node:buffer'
import { viewOf, type ByteView } from '../../model/row-bytes.ts'
import type { Bytes } from '../../model/terms.ts'

export interface Output extends ByteView {
  /** Written bytes. Writers must `reserve` space first. */
  length: Bytes
  /** The output must be UTF-8. */
  readonly isText: boolean
}

/** Size of one write to the socket; larger writes are not faster. */
export const CHUNK_BYTES: Bytes = 64 * 1024
/** Additional space, for the row that fills a chunk. */
const SPARE_BYTES: Bytes = 24 * 1024

/** `bytes` is readonly in other files: only this one replaces it. */
type Replaceable = { -readonly [Key in keyof Output]: Output[Key] }

/** The buffer of an empty output; the first write allocates a chunk. */
const NONE = Buffer.alloc(0)

export function createOutput(isText: boolean): Output {
  return { bytes: NONE, view: viewOf(NONE), length: 0, isText }
}

/** Ensures that `count` more bytes fit into the output. */
export function reserve(output: Output, count: Bytes): void {
  const needed = output.length + count
  if (needed <= output.bytes.length) return
  if (output.bytes === NONE && count <= CHUNK_BYTES + SPARE_BYTES) {
    return replace(output, spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES + SPARE_BYTES))
  }
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, output.bytes.length * 2))
  output.bytes.copy(larger, 0, 0, output.length)
  recycleChunk(output.bytes)
  replace(output, larger)
}

function replace(output: Replaceable, bytes: Buffer): void {
  output.bytes = bytes
  output.view = viewOf(bytes)
}

export function writeText(output: Output, text: string): void {
  reserve(output, Buffer.byteLength(text))
  output.length += output.bytes.write(text, output.length)
}

export function writeBytes(output: Output, source: Uint8Array): void {
  reserve(output, source.length)
  output.bytes.set(source, output.length)
  output.length += source.length
}

/** Returns the written bytes and empties the output. */
export function takeChunk(output: Output): Buffer {
  const chunk = output.bytes.subarray(0, output.length)
  replace(output, NONE)
  output.length = 0
  return output.isText ? validUtf8(chunk) : chunk
}

/** Responses must be UTF-8, but text of an SQL_ASCII database may contain any bytes. */
function validUtf8(bytes: Buffer): Buffer {
  return isUtf8(bytes) ? bytes : Buffer.from(bytes.toString())
}

/**
 * Recycled chunks.
 * why: new chunks each time cause garbage collections, which blocked the event loop for 60 instead of 20 ms in an export
 */
const spare: Buffer[] = []
/** A body has as many before it outgrows memory: otherwise they are garbage until V8 collects its old generation. */
const MAX_SPARE = 96

/**
 * Recycles the memory of a chunk that was copied, compressed or sent. Call it once per chunk. Buffers that are not
 * from `takeChunk` are ignored.
 */
export function recycleChunk({ buffer }: Buffer): void {
  if (buffer.byteLength !== CHUNK_BYTES + SPARE_BYTES || spare.length >= MAX_SPARE) return
  // why: two responses would be written into the same memory
  if (spare.some(chunk => chunk.buffer === buffer)) throw new Error('a chunk was recycled twice')
  spare.push(Buffer.from(buffer))
}
