/** One column of a row group: its compressed pages and their metadata. */
import type { ColumnChunk, SchemaElement, Statistics } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import type { RowBytes, ByteView } from '../../../model/row-bytes.ts'
import type { Bytes } from '../../../model/terms.ts'
import { writeDataPage, writeDictionaryPage, type Dictionary, type ValueEncoding } from './page.ts'

/** All columns close their pages after this number of rows. */
export const PAGE_ROWS = 8192
/** A column whose page exceeds this size closes it earlier. */
const PAGE_BYTES: Bytes = 64 * 1024

/** The values of one column: those of the open page, and bounds and dictionary of the row group. */
export interface ColumnValues {
  /**
   * @param rowNumber for messages
   * @returns bytes of the values in the open page
   * @throws FieldError if the field is not of its column's type, OutputFullError if Parquet cannot contain it
   */
  add(from: ByteView, start: number, end: number, rowNumber: number): Bytes
  /** Returns the values of the open page and empties it. */
  takePage(): { readonly values: Uint8Array; readonly encoding: ValueEncoding }
  /** Ends the row group. */
  takeGroup(): {
    readonly bounds?: Pick<Statistics, 'min_value' | 'max_value'>
    readonly dictionary?: Dictionary
  }
}

export function createColumnWriter({ type, name }: SchemaElement, values: ColumnValues) {
  /** One bit per row: 1 is a value, 0 is null. */
  const levels = new Uint8Array(PAGE_ROWS / 8)
  // why: one buffer for all row groups, since V8 collects separate buffers of pages late
  const pages = new ByteWriter()
  let pageRows = 0
  let rowCount = 0
  let nullCount = 0
  let rawByteCount = 0

  function closePage(): void {
    if (pageRows === 0) return
    const page = values.takePage()
    const usedLevels = levels.subarray(0, Math.ceil(pageRows / 8))
    rawByteCount += writeDataPage(pages, pageRows, usedLevels, page.values, page.encoding)
    rowCount += pageRows
    pageRows = 0
    levels.fill(0)
  }

  return {
    /** @param index of the field in the row */
    add(row: RowBytes, index: number, rowNumber: number): void {
      const start = row.starts[index]!
      const at = pageRows
      pageRows += 1
      if (start < 0) nullCount += 1
      else {
        levels[at >> 3]! |= 1 << (at & 7)
        if (values.add(row, start, row.ends[index]!, rowNumber) > PAGE_BYTES) closePage()
      }
    },
    closePage,
    /** Size of the closed pages. */
    byteCount: (): Bytes => pages.index,
    /**
     * Writes the closed pages, which ends the row group.
     * @param to its offset must be the offset in the file
     */
    writeTo(to: ByteWriter): ColumnChunk {
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
