/** The pages of one column in one row group, compressed as they are filled. Knows nothing of fields. */
import type { ColumnChunk, Encoding, SchemaElement, Statistics } from 'hyparquet'
import type { Bytes } from '../../../model/terms.ts'
import type { Page, PageStore, ValueEncoding } from './page-store.ts'

/** A page is closed by the value that fills it; gzip looks no further back. */
export const PAGE_BYTES: Bytes = 32 * 1024
const PAGE_ROWS = 8192

/** A finished column of a row group. */
export interface Chunk {
  readonly pages: readonly Page[]
  readonly rawByteCount: Bytes
  /** @param offset in the file, of its first page */
  describe(offset: Bytes): ColumnChunk
}

export interface Pages {
  /** Adds a row to the open page. The caller encodes its value. */
  addRow(isNull: boolean): void
  /** Whether the open page has as many rows as a page may have. */
  isFull(): boolean
  /** Closes the open page. */
  close(values: Uint8Array, encoding: ValueEncoding): void
  /** The rows of the open page (1 is a value, 0 is null), which is empty afterwards. */
  reopen(): Uint8Array
  /** It precedes the pages; `values` are PLAIN. */
  setDictionary(values: Uint8Array, count: number): void
  /** All pages, of which none is left. */
  take(bounds: Pick<Statistics, 'min_value' | 'max_value'>): Chunk
}

/**
 * @param turn above 0, up to 1, another for each column: columns of one width would close their pages by the
 *   same row, which would take long
 */
export function createPages(element: SchemaElement, store: PageStore, turn: number): Pages {
  const firstPageRows = Math.ceil((PAGE_ROWS / 4) * (1 + turn))
  const levels = new Uint8Array(PAGE_ROWS)
  let rowCount = 0
  let openNulls = 0
  let maxRows = firstPageRows
  let pages: Page[] = []
  let dictionary: Page | undefined
  let valueCount = 0
  let nullCount = 0
  let encodings = new Set<Encoding>()

  function startPage(): void {
    rowCount = 0
    openNulls = 0
    maxRows = PAGE_ROWS
  }

  return {
    addRow(isNull) {
      if (isNull) openNulls += 1
      levels[rowCount++] = isNull ? 0 : 1
    },
    isFull: () => rowCount === maxRows,
    reopen() {
      const rows = levels.slice(0, rowCount)
      startPage()
      return rows
    },
    close(values, encoding) {
      if (rowCount === 0) return
      const rows = levels.subarray(0, rowCount)
      pages.push(store.addData(rows, values, encoding))
      valueCount += rowCount
      nullCount += openNulls
      encodings.add(encoding)
      startPage()
    },
    setDictionary(values, count) {
      dictionary = store.addDictionary(values, count)
    },
    take(bounds) {
      const chunk = createChunk(element, dictionary, pages, {
        encodings: [...new Set<Encoding>(['PLAIN', 'RLE', ...encodings])],
        num_values: BigInt(valueCount),
        statistics: { null_count: BigInt(nullCount), ...bounds },
      })
      maxRows = firstPageRows
      pages = []
      dictionary = undefined
      valueCount = 0
      nullCount = 0
      encodings = new Set()
      return chunk
    },
  }
}

function createChunk(
  { type, name }: SchemaElement,
  dictionary: Page | undefined,
  dataPages: readonly Page[],
  matter: { encodings: Encoding[]; num_values: bigint; statistics: Statistics },
): Chunk {
  const pages = dictionary ? [dictionary, ...dataPages] : dataPages
  const byteCount = pages.reduce((sum, { byteCount }) => sum + byteCount, 0)
  const rawByteCount = pages.reduce((sum, page) => sum + page.rawByteCount, 0)
  return {
    pages,
    rawByteCount,
    describe: offset => ({
      file_offset: BigInt(offset),
      meta_data: {
        ...matter,
        type: type!,
        path_in_schema: [name],
        codec: 'GZIP',
        total_uncompressed_size: BigInt(rawByteCount),
        total_compressed_size: BigInt(byteCount),
        data_page_offset: BigInt(offset + (dictionary?.byteCount ?? 0)),
        ...(dictionary && { dictionary_page_offset: BigInt(offset) }),
      },
    }),
  }
}
