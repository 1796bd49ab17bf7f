/** Writes a Parquet file: row groups of limited size, schema and totals at the end. */
import type { RowGroup } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { Bytes } from '../../../model/terms.ts'
import type { BodyWriter, Format, BodySubject } from '../format.ts'
import { writeBytes, type Output } from '../output.ts'
import { createColumnWriter, PAGE_ROWS } from './column-chunk.ts'
import { createNumberValues } from './number-values.ts'
import { metadataOf, schemaOf } from './schema.ts'
import { createTextValues } from './text-values.ts'

export const PARQUET_FORMAT: Format = {
  name: 'parquet',
  extension: 'parquet',
  contentType: 'application/vnd.apache.parquet',
  isText: false,
  createWriter: createParquetWriter,
}

/** All columns also close their pages after this many bytes of rows, counted as PostgreSQL sends them. */
const MAX_OPEN_BYTES: Bytes = 1024 * 1024
/** Limits of a row group, which is buffered until it is full; readers process groups in parallel. */
const GROUP_ROWS = 100_000
const GROUP_BYTES: Bytes = 4 * 1024 * 1024

/** `row` throws OutputFullError for a number that Parquet cannot contain. */
function createParquetWriter(subject: BodySubject): BodyWriter {
  const { columns } = subject.definition
  const schema = schemaOf(columns)
  /** Bytes that are not in the output yet. */
  const bytes = new ByteWriter()
  const file = new ParquetWriter({ writer: bytes, schema })
  /** Each item takes about a millisecond. */
  const pending: Array<() => void> = []
  let rowCount = 0
  let groupRows = 0
  let openRows = 0
  let openBytes = 0
  const writers = columns.map((column, columnIndex) => {
    const { type } = column
    const values = type === 'text' ? createTextValues() : createNumberValues({ ...column, type })
    return createColumnWriter(schema[columnIndex + 1]!, values)
  })

  function flush(output: Output): void {
    writeBytes(output, bytes.getBytes())
    bytes.index = 0
  }

  function closePages(): void {
    openRows = 0
    openBytes = 0
    for (const writer of writers) pending.push(() => writer.closePage())
  }

  function closeGroup(output: Output): void {
    const start = bytes.offset
    const group: RowGroup = { columns: [], total_byte_size: 0n, num_rows: BigInt(groupRows) }
    groupRows = 0
    for (const writer of writers) {
      pending.push(() => {
        const chunk = writer.writeTo(bytes)
        group.columns.push(chunk)
        group.total_byte_size += chunk.meta_data!.total_uncompressed_size
        flush(output)
      })
    }
    pending.push(() => {
      const total_compressed_size = BigInt(bytes.offset - start)
      file.row_groups.push({ ...group, file_offset: BigInt(start), total_compressed_size })
    })
  }

  function closeFullGroup(output: Output): void {
    const byteCount = writers.reduce((sum, writer) => sum + writer.byteCount(), 0)
    if (groupRows === GROUP_ROWS || byteCount >= GROUP_BYTES) closeGroup(output)
  }

  return {
    head: flush,
    row(output, row, indexes) {
      rowCount += 1
      groupRows += 1
      openRows += 1
      openBytes += row.end - row.start
      for (let columnIndex = 0; columnIndex < writers.length; columnIndex += 1) {
        writers[columnIndex]!.add(row, indexes[columnIndex]!, rowCount)
      }
      if (openRows === PAGE_ROWS || openBytes >= MAX_OPEN_BYTES || groupRows === GROUP_ROWS) {
        closePages()
        pending.push(() => closeFullGroup(output))
      }
    },
    step() {
      pending.shift()?.()
      return pending.length > 0
    },
    tail(output, ending) {
      closePages()
      // why: the library writes an empty list of row groups with an element type that strict readers reject
      if (groupRows > 0 || file.row_groups.length === 0) closeGroup(output)
      file.kvMetadata = metadataOf(subject, ending)
      pending.push(() => {
        file.num_rows = BigInt(rowCount)
        void file.finish()
        flush(output)
      })
    },
  }
}
