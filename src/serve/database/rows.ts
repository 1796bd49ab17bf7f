/** What a statement returns, as PostgreSQL sends it. */
import { createRowReader, rawFields, type RowBytes } from '../../model/row-bytes.ts'
import type { Instant, RawField } from '../../model/terms.ts'

/** A column as PostgreSQL describes it; `typeId` is the OID of its type. */
export interface Field {
  readonly name: string
  readonly typeId: number
}

export interface Rows {
  readonly fields: readonly Field[]
  /** The data are at least as new as this; undefined if unknown. */
  readonly dataAsOf: Instant | undefined
  /** Consecutive DataRow messages. They are valid in this turn of the event loop; of a longer result, until `next`. */
  readonly first: Buffer
  /** Whether these are all, since the result arrived in one read. */
  readonly isWhole: boolean
  /**
   * The next messages of a longer result, valid until the next call; undefined after the last.
   * @throws what PostgreSQL or the transport reported, the time-out, the reason of the stop
   */
  next(): Promise<Buffer | undefined>
}

/**
 * Reads the rows of an attempt. It is called again for the next attempt if a longer result breaks half-way.
 * @returns undefined if it needs no more of them: the execution is cancelled
 */
export type Read<T> = (rows: Rows) => T | Promise<T>

/** What a reader makes of rows. */
export interface Counted {
  readonly rowCount: number
}

/** Calls `take` with each row. @returns a promise for a longer result @throws as `Rows.next` */
export function forEachRow(rows: Rows, take: (row: RowBytes) => void): Promise<void> | undefined {
  const reader = createRowReader()
  const readBatch = (batch: Buffer): void => {
    for (let at = 0; at < batch.length; at = reader.nextOffset) take(reader.read(batch, at))
  }
  const readNext = async (): Promise<void> => {
    for (let next = await rows.next(); next !== undefined; next = await rows.next()) readBatch(next)
  }
  readBatch(rows.first)
  return rows.isWhole ? undefined : readNext()
}

/** Each value as PostgreSQL prints it. @param mostRows further rows are counted, but not stored */
export function readRows(result: Rows, mostRows = Number.POSITIVE_INFINITY) {
  const read = { rows: [] as RawField[][], rowCount: 0 }
  const reading = forEachRow(result, row => {
    read.rowCount += 1
    if (read.rowCount <= mostRows) read.rows.push(rawFields(row))
  })
  return reading === undefined ? read : reading.then(() => read)
}
