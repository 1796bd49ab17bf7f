/**
 * Writes a sheet row by row into its part. Column widths precede the rows, so the first rows are held as XML until
 * their widths are known. Knows the positions of cells, not their types.
 */
import { rawField, type ByteView, type RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes, ColumnType } from '../../../model/terms.ts'
import { copyBytes } from '../digits.ts'
import { reserveRow } from '../escaped-text.ts'
import { fieldError, type WriteBytes } from '../format.ts'
import {
  CHUNK_BYTES,
  createOutput,
  inChunks,
  pieceOf,
  recycleChunk,
  takeChunk,
  writePiece,
  writeText,
  type Piece,
} from '../output.ts'
import { MAX_CELL_BYTES } from './cell.ts'
import { writeWhole } from './numbers.ts'
import { columnLetters } from './parts.ts'
import { XML_ESCAPING } from './text.ts'
import type { Part } from './zip.ts'

export interface SheetColumn {
  /** For messages. */
  readonly key: string
  readonly type: ColumnType
  readonly write: WriteBytes
  /** For an empty cell, the XML after its reference; undefined if empty cells are omitted. */
  readonly blank: Piece | undefined
}

export interface Sheet {
  /** Writes XML other than rows. */
  xml(text: string): void
  /**
   * @param indexes of the columns in the row
   * @param height in points, less than 1000; 0 is the default height
   * @throws FieldError if a field is not of its column's type; OutputFullError if Excel cannot contain it
   */
  row(
    row: RowBytes,
    indexes: readonly number[],
    columns: readonly SheetColumn[],
    height: number,
  ): void
  /** From now on rows stay in memory. @param rowsBefore number of rows that `release` writes before them */
  hold(rowsBefore: number): void
  heldBytes(): Bytes
  /** @param heightOf height of each held row, by its index @param writeBefore writes everything before them */
  release(heightOf: (rowIndex: number) => number, writeBefore: () => void): void
  end(): void
}

const ROW = pieceOf('<row r="')
const AFTER_NUMBER = pieceOf('"')
/** Blanks in a tag, which `writeHeight` replaces. */
const NO_HEIGHT = pieceOf('         >')
const HEIGHT = pieceOf(' ht="')
const QUOTE = 0x22
const ROW_END = pieceOf('</row>')
/** Digits of a row number. */
const MAX_DIGITS = 8
/** After `release`, held rows are compressed in pieces, one in so many rows: together they take 10 ms. */
const ROWS_PER_PIECE = 16

/** @param count of columns */
export function createSheet(part: Part, count: number): Sheet {
  // why: text, so that invalid UTF-8 from the database is replaced
  const output = createOutput(true)
  const references = Array.from({ length: count }, (_, columnIndex) =>
    pieceOf(`<c r="${columnLetters(columnIndex)}`),
  )
  const extraBytes: Bytes = (count + 1) * MAX_CELL_BYTES
  const digits = Buffer.alloc(MAX_DIGITS)
  /** Of held rows, where their height is written. */
  let heldOffsets: number[] | undefined
  /** Released rows that are not compressed yet. */
  let released: Buffer[] = []
  let number = 0

  function deflateReleased(): void {
    const piece = released.shift()
    if (piece !== undefined) part.write(piece)
  }

  function deflate(): void {
    while (released.length > 0) deflateReleased()
    const chunk = takeChunk(output)
    part.write(chunk)
    recycleChunk(chunk)
  }

  return {
    xml: text => writeText(output, text),
    row(row, indexes, columns, height) {
      reserveRow(output, row, extraBytes, XML_ESCAPING)
      const { starts, ends } = row
      number += 1
      const digitCount = writeWhole(number, digits, 0)
      let at = writePiece(ROW, output, output.length)
      at = copyBytes(digits, 0, digitCount, output.bytes, at)
      at = writePiece(AFTER_NUMBER, output, at)
      heldOffsets?.push(at)
      const cells = writePiece(NO_HEIGHT, output, at)
      if (height > 0) writeHeight(height, output, at)
      at = cells
      for (let columnIndex = 0; columnIndex < count; columnIndex += 1) {
        const index = indexes[columnIndex]!
        const start = starts[index]!
        const { write, blank, key, type } = columns[columnIndex]!
        if (start < 0 && blank === undefined) continue
        at = writePiece(references[columnIndex]!, output, at)
        at = copyBytes(digits, 0, digitCount, output.bytes, at)
        if (start < 0) at = writePiece(blank!, output, at)
        else {
          at = write(row, start, ends[index]!, output, at)
          if (at < 0) throw fieldError(key, type, rawField(row, index))
        }
      }
      output.length = writePiece(ROW_END, output, at)
      if (heldOffsets !== undefined) return
      if (output.length >= CHUNK_BYTES) deflate()
      else if (number % ROWS_PER_PIECE === 0) deflateReleased()
    },
    hold(rowsBefore) {
      heldOffsets = []
      number = rowsBefore
    },
    heldBytes: () => output.length,
    release(heightOf, writeBefore) {
      for (const [rowIndex, offset] of heldOffsets!.entries()) {
        const height = heightOf(rowIndex)
        if (height > 0) writeHeight(height, output, offset)
      }
      const held = takeChunk(output)
      const lastNumber = number
      heldOffsets = undefined
      number = 0
      writeBefore()
      deflate()
      released = inChunks(held)
      number = lastNumber
    },
    end() {
      deflate()
      part.end()
    },
  }
}

/** Replaces the blanks of `NO_HEIGHT`; the tag's end stays. */
function writeHeight(height: number, output: ByteView, at: number): void {
  const digits = writePiece(HEIGHT, output, at)
  const end = writeWhole(height, output.bytes, digits)
  output.bytes[end] = QUOTE
  output.bytes.fill(' ', end + 1, at + NO_HEIGHT.length - 1)
}
