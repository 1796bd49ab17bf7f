/** The Parquet file of a report: row groups of bounded size, its schema and its totals at the end. */
import type { FileMetaData, RowGroup } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'
import type { Bytes } from '../../../model/terms.ts'
import type { BodyWriter, Format, Subject } from '../format.ts'
import { makeRoom, writeBytes, type Output } from '../output.ts'
import { createNumberColumn, type ColumnWriter, type NumberColumn } from './column.ts'
import { metadataOf, schemaOf } from './schema.ts'
import { createTextColumn } from './text.ts'

export const PARQUET_FORMAT: Format = {
  name: 'parquet',
  extension: 'parquet',
  contentType: 'application/vnd.apache.parquet',
  isText: false,
  createWriter: createParquetWriter,
}

const MAGIC = Buffer.from('PAR1')

/** A row group is closed by the row that fills it: it is held until then, and readers share out groups. */
const GROUP_ROWS = 100_000
const GROUP_BYTES: Bytes = 4 * 1024 * 1024

/** Beside FieldError, rows throw NoRoomError: a figure that Parquet has no room for. */
function createParquetWriter(subject: Subject): BodyWriter {
  const { columns } = subject.definition
  const schema = schemaOf(columns)
  let offset = 0
  let rowCount = 0
  let groupRows = 0
  let groupBytes = 0
  const groups: RowGroup[] = []

  const countPage = (byteCount: Bytes): void => void (groupBytes += byteCount)
  const writers = columns.map((column, order): ColumnWriter => {
    const element = schema[order + 1]!
    const turn = (order + 1) / columns.length
    if (column.type === 'text') return createTextColumn(element, countPage, turn)
    return createNumberColumn(column as NumberColumn, element, countPage, turn)
  })

  function write(output: Output, bytes: Uint8Array): void {
    writeBytes(output, bytes)
    offset += bytes.length
  }

  function closeGroup(output: Output): void {
    const start = offset
    const chunks = writers.map(writer => writer.take())
    makeRoom(
      output,
      chunks.reduce((sum, { byteCount }) => sum + byteCount, 0),
    )
    let rawByteCount = 0
    const described = chunks.map(chunk => {
      const description = chunk.describe(offset)
      for (const part of chunk.parts) write(output, part)
      rawByteCount += chunk.rawByteCount
      return description
    })
    groups.push({
      columns: described,
      total_byte_size: BigInt(rawByteCount),
      num_rows: BigInt(groupRows),
      file_offset: BigInt(start),
      total_compressed_size: BigInt(offset - start),
    })
    groupRows = 0
    groupBytes = 0
  }

  return {
    head(output) {
      write(output, MAGIC)
    },
    row(output, row, places) {
      rowCount += 1
      const { starts, ends } = row
      for (let order = 0; order < writers.length; order += 1) {
        const place = places[order]!
        writers[order]!.add(row, starts[place]!, ends[place]!, rowCount)
      }
      groupRows += 1
      if (groupRows === GROUP_ROWS || groupBytes >= GROUP_BYTES) closeGroup(output)
    },
    tail(output, ending) {
      if (groupRows > 0) closeGroup(output)
      const footer = new ByteWriter()
      const metadata: Omit<FileMetaData, 'metadata_length'> = {
        version: 2,
        created_by: 'hyparquet',
        schema,
        num_rows: BigInt(rowCount),
        row_groups: groups,
        key_value_metadata: metadataOf(subject, ending),
      }
      // why: the length is for readers; the library's own writer deletes it for the same reason
      writeMetadata(footer, metadata as FileMetaData)
      write(output, footer.getBytes())
      write(output, MAGIC)
    },
  }
}
