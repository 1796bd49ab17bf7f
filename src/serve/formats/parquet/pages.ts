/** The pages of one column in one row group, compressed as they are filled. Knows nothing of fields. */
import { constants, gzipSync } from 'node:zlib'
import type { ColumnChunk, Encoding, SchemaElement, Statistics } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
// why: the library's own way in takes a whole row group at once, as arrays of values, and seven columns of
// 10,000 rows took it 60 ms. These parts of it are exported, with types; the version is pinned.
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'
import type { Bytes } from '../../../model/terms.ts'

/** A page is closed by the value that fills it; gzip looks no further back. */
export const PAGE_BYTES: Bytes = 32 * 1024
export const PAGE_ROWS = 8192

/**
 * Columns of one width would close their pages by the same row, which would take long.
 * @param turn above 0, up to 1, of each column another
 */
export function firstPageRows(turn: number): number {
  return Math.ceil((PAGE_ROWS / 4) * (1 + turn))
}

/** A finished column of a row group. */
export interface Chunk {
  readonly parts: readonly Uint8Array[]
  readonly byteCount: Bytes
  readonly rawByteCount: Bytes
  /** @param offset in the file, of its first part */
  describe(offset: Bytes): ColumnChunk
}

export interface Pages {
  /** @param levels one a row: 1 is a value, 0 is null */
  add(levels: Uint8Array, values: Uint8Array, encoding: 'PLAIN' | 'RLE_DICTIONARY'): void
  /** It will stand before the pages; `values` are PLAIN. */
  setDictionary(values: Uint8Array, count: number): void
  /** All that was added, and the pages are empty again. */
  take(statistics: Statistics): Chunk
}

/** @param onPage is told how long each page is. */
export function createPages(element: SchemaElement, onPage: (byteCount: Bytes) => void): Pages {
  let pages: Page[] = []
  let dictionary: Page | undefined
  let valueCount = 0
  let encodings = new Set<Encoding>()

  return {
    add(levels, values, encoding) {
      const page = dataPage(levels, values, encoding)
      pages.push(page)
      valueCount += levels.length
      encodings.add(encoding)
      onPage(page.byteCount)
    },
    setDictionary(values, count) {
      dictionary = dictionaryPage(values, count)
      onPage(dictionary.byteCount)
    },
    take(statistics) {
      const all = dictionary ? [dictionary, ...pages] : pages
      const dictionaryBytes = dictionary?.byteCount
      const used: Encoding[] = [...new Set<Encoding>(['PLAIN', 'RLE', ...encodings])]
      const count = BigInt(valueCount)
      const byteCount = sum(all, page => page.byteCount)
      const rawByteCount = sum(all, page => page.rawByteCount)
      pages = []
      dictionary = undefined
      valueCount = 0
      encodings = new Set()
      return {
        parts: all.flatMap(page => page.parts),
        byteCount,
        rawByteCount,
        describe: offset => ({
          file_offset: BigInt(offset),
          meta_data: {
            type: element.type!,
            encodings: used,
            path_in_schema: [element.name],
            codec: 'GZIP',
            num_values: count,
            total_uncompressed_size: BigInt(rawByteCount),
            total_compressed_size: BigInt(byteCount),
            data_page_offset: BigInt(offset + (dictionaryBytes ?? 0)),
            ...(dictionaryBytes !== undefined && { dictionary_page_offset: BigInt(offset) }),
            statistics,
          },
        }),
      }
    },
  }
}

interface Page {
  readonly parts: readonly Uint8Array[]
  readonly byteCount: Bytes
  readonly rawByteCount: Bytes
}

function sum(pages: readonly Page[], bytesOf: (page: Page) => Bytes): Bytes {
  return pages.reduce((total, page) => total + bytesOf(page), 0)
}

/** Of version 1, which every reader knows: its levels lie before its values. */
function dataPage(levels: Uint8Array, values: Uint8Array, encoding: Encoding): Page {
  const runs = new ByteWriter(64)
  if (levels.includes(0)) writeRleBitPackedHybrid(runs, levels, 1)
  else {
    // why: one run, which the library looks for value by value, half a millisecond a page
    runs.appendVarInt(levels.length << 1)
    runs.appendUint8(1)
  }
  const runBytes = runs.getBytes()
  const length = Buffer.alloc(4)
  length.writeUInt32LE(runBytes.length)
  const raw = Buffer.concat([length, runBytes, values])
  return page(raw, (uncompressed_page_size, compressed_page_size) => ({
    type: 'DATA_PAGE',
    uncompressed_page_size,
    compressed_page_size,
    data_page_header: {
      num_values: levels.length,
      encoding,
      definition_level_encoding: 'RLE',
      repetition_level_encoding: 'RLE',
    },
  }))
}

function dictionaryPage(values: Uint8Array, count: number): Page {
  return page(values, (uncompressed_page_size, compressed_page_size) => ({
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size,
    compressed_page_size,
    dictionary_page_header: { num_values: count, encoding: 'PLAIN' },
  }))
}

type PageHeader = Parameters<typeof writePageHeader>[1]

function page(raw: Uint8Array, headerOf: (rawBytes: Bytes, bytes: Bytes) => PageHeader): Page {
  // why: of pages of 32 KiB level 1 makes 15-60 % in 0.15-0.5 ms, the library's Snappy 22-88 % in 0.3-1 ms,
  // and level 6 takes three times as long and more to save one or two parts in a hundred
  const body = gzipSync(raw, { level: constants.Z_BEST_SPEED })
  const header = new ByteWriter(64)
  writePageHeader(header, headerOf(raw.length, body.length))
  const head = header.getBytes()
  return {
    parts: [head, body],
    byteCount: head.length + body.length,
    rawByteCount: head.length + raw.length,
  }
}

/** The same bytes where so many fit, else more of them with the same beginning. */
export function withRoom(bytes: Buffer, length: Bytes): Buffer {
  if (length <= bytes.length) return bytes
  const larger = Buffer.allocUnsafeSlow(Math.max(length, bytes.length * 2))
  bytes.copy(larger)
  return larger
}
