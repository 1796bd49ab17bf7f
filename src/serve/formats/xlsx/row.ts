/** Writes a sheet row by row into its part. Knows the positions of cells, not their types. */
import { rawField, type RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes, ColumnType } from '../../../model/terms.ts'
import { copyBytes } from '../digits.ts'
import { reserveRow } from '../escaped-text.ts'
import { fieldError, type WriteBytes } from '../format.ts'
import {
  CHUNK_BYTES,
  createOutput,
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
   * @throws FieldError if a field is not of its column's type; OutputFullError if Excel cannot contain it
   */
  row(row: RowBytes, indexes: readonly number[], columns: readonly SheetColumn[]): void
  end(): void
}

const ROW = pieceOf('<row r="')
const CELLS = pieceOf('">')
const ROW_END = pieceOf('</row>')
/** Digits of a row number. */
const MAX_DIGITS = 8

/** @param count of columns */
export function createSheet(part: Part, count: number): Sheet {
  // why: text, so that invalid UTF-8 from the database is replaced
  const output = createOutput(true)
  const references = Array.from({ length: count }, (_, columnIndex) =>
    pieceOf(`<c r="${columnLetters(columnIndex)}`),
  )
  const extraBytes: Bytes = (count + 1) * MAX_CELL_BYTES
  const digits = Buffer.alloc(MAX_DIGITS)
  let number = 0

  function deflate(): void {
    const chunk = takeChunk(output)
    part.write(chunk)
    recycleChunk(chunk)
  }

  return {
    xml: text => writeText(output, text),
    row(row, indexes, columns) {
      reserveRow(output, row, extraBytes, XML_ESCAPING)
      const { starts, ends } = row
      number += 1
      const digitCount = writeWhole(number, digits, 0)
      let at = writePiece(ROW, output, output.length)
      at = copyBytes(digits, 0, digitCount, output.bytes, at)
      at = writePiece(CELLS, output, at)
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
      if (output.length >= CHUNK_BYTES) deflate()
    },
    end() {
      deflate()
      part.end()
    },
  }
}
