/** Bytes of an answer, as they are written: a chunk at a time. Knows nothing of rows. */
import { isUtf8 } from 'node:buffer'
import { viewOf, type Viewed } from '../../model/row-bytes.ts'
import type { Bytes } from '../../model/terms.ts'

export interface Output extends Viewed {
  /** Written up to here; whoever writes has made room before. */
  length: Bytes
  /** What is written is meant to be UTF-8. */
  readonly isText: boolean
}

/** A text that is written again and again. */
export interface Piece {
  readonly length: Bytes
  readonly words: Int32Array
}

/** What `writePiece` may write after a piece's end, to be overwritten. */
export const PIECE_OVERHANG: Bytes = 3

/** One write to the socket; larger ones only cost memory. */
export const CHUNK_BYTES: Bytes = 64 * 1024
/** Of one more row than a chunk holds. */
const SPARE_BYTES: Bytes = 24 * 1024

/** For other modules it only grows and is emptied. */
type Replaceable = { -readonly [Key in keyof Output]: Output[Key] }

/** What is written to first is a chunk. */
const NONE = Buffer.alloc(0)

export function createOutput(isText: boolean): Output {
  return { bytes: NONE, view: viewOf(NONE), length: 0, isText }
}

/** Has room for so many bytes more. */
export function makeRoom(output: Output, count: Bytes): void {
  const needed = output.length + count
  if (needed <= output.bytes.length) return
  if (output.bytes === NONE && count <= CHUNK_BYTES + SPARE_BYTES)
    return replace(output, newChunk())
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
  makeRoom(output, Buffer.byteLength(text))
  output.length += output.bytes.write(text, output.length)
}

export function writeBytes(output: Output, some: Uint8Array): void {
  makeRoom(output, some.length)
  output.bytes.set(some, output.length)
  output.length += some.length
}

export function pieceOf(text: string): Piece {
  const length = Buffer.byteLength(text)
  const words = new Int32Array(Math.ceil(length / 4))
  const bytes = Buffer.alloc(words.length * 4)
  bytes.write(text)
  for (let place = 0; place < words.length; place += 1) words[place] = bytes.readInt32LE(place * 4)
  return { length, words }
}

/** Answers where it ends; the output's own length is as it was. */
export function writePiece({ words, length }: Piece, { view }: Viewed, at: number): number {
  for (let place = 0; place < words.length; place += 1) {
    view.setInt32(at + place * 4, words[place]!, true)
  }
  return at + length
}

/** What has been written, and the output is empty. */
export function takeChunk(output: Output): Buffer {
  const chunk = output.bytes.subarray(0, output.length)
  replace(output, NONE)
  output.length = 0
  return output.isText ? valid(chunk) : chunk
}

/** A database in SQL_ASCII lets any bytes be text, and no answer may be anything but UTF-8. */
function valid(bytes: Buffer): Buffer {
  return isUtf8(bytes) ? bytes : Buffer.from(bytes.toString())
}

/** What is larger than a chunk may be, in parts that are not. */
export function inChunks(bytes: Buffer): Buffer[] {
  if (bytes.length <= CHUNK_BYTES + SPARE_BYTES) return [bytes]
  return Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, at) =>
    bytes.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES),
  )
}

/**
 * Chunks to be written to again.
 * why: made anew each time they make V8 collect, which held the event loop for 60 ms in an export, and not for 20
 */
const spare: Buffer[] = []
const MAX_SPARE = 32

/**
 * Nobody reads this chunk any more, and another may be written over it: to be called once for each, by whatever has
 * copied, compressed or sent it. Other buffers than those of `takeChunk` are left alone.
 */
export function recycleChunk({ buffer }: Buffer): void {
  if (buffer.byteLength !== CHUNK_BYTES + SPARE_BYTES || spare.length >= MAX_SPARE) return
  // why: were one recycled twice, two responses would be written into the same memory
  if (spare.some(one => one.buffer === buffer)) throw new Error('a chunk was recycled twice')
  spare.push(Buffer.from(buffer))
}

/** To be written over: 88 KiB, for `recycleChunk` in the end. */
export function newChunk(): Buffer {
  return spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES + SPARE_BYTES)
}
