import type { Viewed } from '../../../model/row-bytes.ts'
import type { Chunk } from './pages.ts'

/** Encodes one column, row group after row group. */
export interface ColumnWriter {
  /**
   * @param start below 0 is null
   * @param rowNumber for messages
   * @throws FieldError if the field is not of its column's type, NoRoomError if Parquet cannot hold it.
   */
  add(from: Viewed, start: number, end: number, rowNumber: number): void
  /** All that was added since the last time. */
  take(): Chunk
}
