/** A column of numbers, dates or instants, row group after row group. Knows of PostgreSQL's text only what reads it. */
import type { SchemaElement } from 'hyparquet'
import { viewOf, type Viewed } from '../../../model/row-bytes.ts'
import type { Bytes, Column, ColumnType } from '../../../model/terms.ts'
import { fieldError } from '../json/json-field.ts'
import { createPages, firstPageRows, PAGE_BYTES, PAGE_ROWS } from './pages.ts'
import type { Chunk } from './pages.ts'
import { noRoomFor, physicalValue } from './value.ts'

export interface ColumnWriter {
  /**
   * @param start below 0 is null
   * @param rowNumber for messages
   * @throws FieldError if the field is not of its column's type, NoRoomError if Parquet has no room for it.
   */
  add(from: Viewed, start: number, end: number, rowNumber: number): void
  /** All that was added since the last time. */
  take(): Chunk
}

export interface NumberColumn extends Column {
  readonly type: Exclude<ColumnType, 'text'>
}

const TWO_32 = 2 ** 32
/** Most answers are short. */
const FIRST_BYTES: Bytes = 1024

/** @param turn of the column among the others, see `firstPageRows` */
export function createNumberColumn(
  { key, type }: NumberColumn,
  element: SchemaElement,
  onPage: (byteCount: Bytes) => void,
  turn: number,
): ColumnWriter {
  const { bytes: width, read, far } = physicalValue(type)
  const pages = createPages(element, onPage)
  const levels = new Uint8Array(PAGE_ROWS)
  let values = Buffer.allocUnsafeSlow(FIRST_BYTES)
  let view = viewOf(values)
  let rows = 0
  let length = 0
  let nullCount = 0
  let fullRows = firstPageRows(turn)
  let least: number | bigint = Infinity
  let most: number | bigint = -Infinity

  function readFar(raw: string, rowNumber: number): bigint {
    const value = far?.read(raw)
    if (value === undefined) throw fieldError(key, type, raw)
    if (value === null) throw noRoomFor(key, rowNumber, raw, far!.room)
    return value
  }

  function write(value: number): void {
    if (value < least) least = value
    if (value > most) most = value
    if (width === 8) {
      // why: a BigInt would take ten times as long; of a safe integer both halves are exact
      view.setUint32(length, value >>> 0, true)
      view.setInt32(length + 4, Math.floor(value / TWO_32), true)
    } else view.setInt32(length, value, true)
    length += width
  }

  function writeFar(value: bigint): void {
    if (value < least) least = value
    if (value > most) most = value
    view.setBigInt64(length, value, true)
    length += width
  }

  function closePage(): void {
    pages.add(levels.subarray(0, rows), values.subarray(0, length), 'PLAIN')
    rows = 0
    length = 0
    fullRows = PAGE_ROWS
  }

  function grow(): void {
    const larger = Buffer.allocUnsafeSlow(values.length * 2)
    values.copy(larger)
    values = larger
    view = viewOf(values)
  }

  return {
    add(from, start, end, rowNumber) {
      if (start < 0) {
        nullCount += 1
        levels[rows++] = 0
      } else {
        if (length + width > values.length) grow()
        const value = read(from, start, end)
        if (Number.isNaN(value)) {
          writeFar(readFar(from.bytes.toString('utf8', start, end), rowNumber))
        } else write(value)
        levels[rows++] = 1
      }
      if (rows === fullRows || length === PAGE_BYTES) closePage()
    },
    take() {
      if (rows > 0) closePage()
      const bounds = least <= most && { min_value: bound(least), max_value: bound(most) }
      const statistics = { null_count: BigInt(nullCount), ...bounds }
      nullCount = 0
      fullRows = firstPageRows(turn)
      least = Infinity
      most = -Infinity
      return pages.take(statistics)
    },
  }

  function bound(value: number | bigint): number | bigint {
    return width === 8 ? BigInt(value) : value
  }
}
