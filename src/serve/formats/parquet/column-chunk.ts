/** One column of a row group: its pages, compressed as they are closed, and what the file says of them. */
import type { ColumnChunk, SchemaElement, Statistics } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import type { RowBytes, Viewed } from '../../../model/row-bytes.ts'
import type { Bytes } from '../../../model/terms.ts'
import { writeDataPage, writeDictionaryPage, type Dictionary, type ValueEncoding } from './page.ts'

/** With this row all columns close their pages, one after the other. */
export const PAGE_ROWS = 8192
/** Texts that have more close their page before. */
const PAGE_BYTES: Bytes = 64 * 1024

/** The values of one column: of the open page, and what they have in common in a row group. */
export interface ColumnValues {
  /**
   * @param rowNumber for messages
   * @returns how many bytes the values of the page have
   * @throws FieldError if the field is not of its column's type, NoRoomError if Parquet cannot hold it.
   */
  add(from: Viewed, start: number, end: number, rowNumber: number): Bytes
  /** Those of the page, which is empty afterwards. */
  takePage(): { readonly values: Uint8Array; readonly encoding: ValueEncoding }
  /** Ends the row group. */
  takeGroup(): {
    readonly bounds?: Pick<Statistics, 'min_value' | 'max_value'>
    readonly dictionary?: Dictionary
  }
}

export interface ColumnWriter {
  /** @param place in the row */
  add(row: RowBytes, place: number, rowNumber: number): void
  closePage(): void
  /** Of the closed pages. */
  byteCount(): Bytes
  /**
   * Writes the closed pages, which ends the row group.
   * @param to its offset is that in the file
   */
  writeTo(to: ByteWriter): ColumnChunk
}

export function createColumnWriter(
  { type, name }: SchemaElement,
  values: ColumnValues,
): ColumnWriter {
  /** One bit a row: 1 is a value, 0 is null. */
  const levels = new Uint8Array(PAGE_ROWS / 8)
  // why: one buffer for all row groups. Pages in buffers of their own are garbage that V8 collects late
  const pages = new ByteWriter()
  let pageRows = 0
  let rowCount = 0
  let nullCount = 0
  let rawByteCount = 0

  function closePage(): void {
    if (pageRows === 0) return
    const page = values.takePage()
    const used = levels.subarray(0, Math.ceil(pageRows / 8))
    rawByteCount += writeDataPage(pages, pageRows, used, page.values, page.encoding)
    rowCount += pageRows
    pageRows = 0
    levels.fill(0)
  }

  return {
    add(row, place, rowNumber) {
      const start = row.starts[place]!
      const at = pageRows
      pageRows += 1
      if (start < 0) nullCount += 1
      else {
        levels[at >> 3]! |= 1 << (at & 7)
        if (values.add(row, start, row.ends[place]!, rowNumber) > PAGE_BYTES) closePage()
      }
    },
    closePage,
    byteCount: () => pages.index,
    writeTo(to) {
      const { bounds, dictionary } = values.takeGroup()
      const start = to.offset
      if (dictionary) rawByteCount += writeDictionaryPage(to, dictionary)
      const dataStart = to.offset
      to.appendBytes(pages.getBytes())
      const chunk: ColumnChunk = {
        file_offset: BigInt(start),
        meta_data: {
          type: type!,
          path_in_schema: [name],
          codec: 'GZIP',
          encodings: ['PLAIN', 'RLE', ...(dictionary ? (['RLE_DICTIONARY'] as const) : [])],
          num_values: BigInt(rowCount),
          statistics: { null_count: BigInt(nullCount), ...bounds },
          total_uncompressed_size: BigInt(rawByteCount),
          total_compressed_size: BigInt(to.offset - start),
          data_page_offset: BigInt(dataStart),
          ...(dictionary && { dictionary_page_offset: BigInt(start) }),
        },
      }
      pages.index = 0
      rowCount = 0
      nullCount = 0
      rawByteCount = 0
      return chunk
    },
  }
}
