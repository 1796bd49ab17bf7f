/** A sheet as it is written, row after row, into its part. Knows where cells stand, and no types. */
import { rawField, type RowBytes } from '../../../model/row-bytes.ts'
import type { Bytes, ColumnType } from '../../../model/terms.ts'
import { copyBytes } from '../digits.ts'
import { makeRoomForRow } from '../escaped-text.ts'
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
import { MOST_CELL_BYTES } from './cell.ts'
import { writeWhole } from './numbers.ts'
import { columnLetters } from './parts.ts'
import { XML_ESCAPING } from './text.ts'
import type { Part } from './zip.ts'

export interface SheetColumn {
  /** For messages. */
  readonly key: string
  readonly type: ColumnType
  readonly write: WriteBytes
  /** What stands behind the reference of a cell without a value; undefined where there is no such cell. */
  readonly blank: Piece | undefined
}

export interface Sheet {
  /** What is not rows. */
  xml(text: string): void
  /**
   * @param places in the row, of the columns in their order
   * @throws FieldError if a field is not of its column's type; NoRoomError if there is no room for it
   */
  row(row: RowBytes, places: readonly number[], columns: readonly SheetColumn[]): void
  end(): void
}

const ROW = pieceOf('<row r="')
const CELLS = pieceOf('">')
const ROW_END = pieceOf('</row>')
/** Of a row's number. */
const MOST_DIGITS = 8

/** @param count of columns */
export function createSheet(part: Part, count: number): Sheet {
  // why: text, for whatever the database takes for it has to become UTF-8
  const output = createOutput(true)
  const references = Array.from({ length: count }, (_, order) =>
    pieceOf(`<c r="${columnLetters(order)}`),
  )
  const ownBytes: Bytes = (count + 1) * MOST_CELL_BYTES
  const digits = Buffer.alloc(MOST_DIGITS)
  let number = 0

  function deflate(): void {
    const chunk = takeChunk(output)
    part.write(chunk)
    recycleChunk(chunk)
  }

  return {
    xml: text => writeText(output, text),
    row(row, places, columns) {
      makeRoomForRow(output, row, ownBytes, XML_ESCAPING)
      const { starts, ends } = row
      number += 1
      const digitCount = writeWhole(number, digits, 0)
      let at = writePiece(ROW, output, output.length)
      at = copyBytes(digits, 0, digitCount, output.bytes, at)
      at = writePiece(CELLS, output, at)
      for (let order = 0; order < count; order += 1) {
        const place = places[order]!
        const start = starts[place]!
        const { write, blank, key, type } = columns[order]!
        if (start < 0 && blank === undefined) continue
        at = writePiece(references[order]!, output, at)
        at = copyBytes(digits, 0, digitCount, output.bytes, at)
        if (start < 0) at = writePiece(blank!, output, at)
        else {
          at = write(row, start, ends[place]!, output, at)
          if (at < 0) throw fieldError(key, type, rawField(row, place))
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
