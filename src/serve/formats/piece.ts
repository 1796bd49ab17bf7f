/** A constant text, written four bytes at a time: that takes a third of the time of a loop over its bytes. */
import type { ByteView } from '../../model/row-bytes.ts'
import type { Bytes } from '../../model/terms.ts'

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
