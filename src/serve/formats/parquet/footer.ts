/**
 * The end of a Parquet file: its metadata. That of a row group is encoded when the group is complete.
 * why: the library encodes all at once, in 12 to 14 ms for a million rows of 15 columns, instead of 2.5
 */
import type { FileMetaData, KeyValue, RowGroup, SchemaElement } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'

/** `PAR1`, the first and the last four bytes. */
export const MAGIC = 0x31524150

/** As Thrift's compact protocol marks a list of structures; its length is in the upper four bits. */
const LIST_OF_STRUCTURES = 12
/** In the upper four bits: the length follows. */
const LONG_LIST = 15
/** Of the metadata, which follows them. */
const LENGTH_BYTES = 4

const NO_GROUP: RowGroup = { columns: [], total_byte_size: 0n, num_rows: 0n }

export function createFooter(schema: SchemaElement[]) {
  const groups: Uint8Array[] = []

  /** With one group or none, to find the place of groups. */
  function encode(group?: RowGroup, own: Partial<FileMetaData> = {}): Uint8Array {
    const writer = new ByteWriter()
    const row_groups = group === undefined ? [] : [group]
    const metadata = {
      version: 2,
      created_by: 'hyparquet',
      schema,
      num_rows: 0n,
      row_groups,
      ...own,
    }
    writeMetadata(writer, metadata as FileMetaData)
    return writer.getBytes()
  }

  /** Of the list's first byte, which tells how many groups follow. */
  function listAt(without: Uint8Array, own?: Partial<FileMetaData>): number {
    const withGroup = encode(NO_GROUP, own)
    return without.findIndex((byte, at) => byte !== withGroup[at])
  }

  const without = encode()
  const groupAt = listAt(without) + 1

  return {
    /** Call it after the last column of the group. */
    add(group: RowGroup): void {
      const whole = encode(group)
      groups.push(whole.slice(groupAt, groupAt + whole.length - without.length))
    },
    write(writer: ByteWriter, rowCount: number, key_value_metadata: KeyValue[]): void {
      const own = { num_rows: BigInt(rowCount), key_value_metadata }
      const bytes = encode(undefined, own)
      const at = listAt(bytes, own)
      const from = writer.offset
      writer.appendBytes(bytes.subarray(0, at))
      const isLong = groups.length >= LONG_LIST
      writer.appendUint8(((isLong ? LONG_LIST : groups.length) << 4) | LIST_OF_STRUCTURES)
      if (isLong) writer.appendVarInt(groups.length)
      for (const group of groups) writer.appendBytes(group)
      writer.appendBytes(bytes.subarray(at + 1, -LENGTH_BYTES))
      writer.appendUint32(writer.offset - from)
      writer.appendUint32(MAGIC)
    },
  }
}
