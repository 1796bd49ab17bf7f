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

/** Calls `take` with each row. @throws as `Rows.next` */
export async function forEachRow(rows: Rows, take: (row: RowBytes) => void): Promise<void> {
  const reader = createRowReader()
  let batch: Buffer | undefined = rows.first
  while (batch !== undefined) {
    for (let at = 0; at < batch.length; at = reader.nextOffset) take(reader.read(batch, at))
    batch = rows.isWhole ? undefined : await rows.next()
  }
}

/** Each value as PostgreSQL prints it. @param mostRows further rows are counted, but not stored */
export async function readRows(result: Rows, mostRows = Number.POSITIVE_INFINITY) {
  const rows: RawField[][] = []
  let rowCount = 0
  await forEachRow(result, row => {
    rowCount += 1
    if (rowCount <= mostRows) rows.push(rawFields(row))
  })
  return { rows, rowCount }
}
