/** Reads the result of an execution as it arrives. */
import type { Instant } from '../../model/terms.ts'

/** A column as PostgreSQL describes it; `typeId` is the OID of its type. */
export interface Field {
  readonly name: string
  readonly typeId: number
}

/** What is known before the first row. */
export interface ResultHead {
  readonly fields: readonly Field[]
  /** The data are at least as new as this; undefined if unknown. */
  readonly dataAsOf: Instant | undefined
}

/** Reads one result. What a method throws ends the execution. */
export interface ResultReader {
  /** Rows read so far, for observations. */
  readonly rowCount: number
  /**
   * Takes consecutive DataRow messages, from `bytes[from]` up to `bytes[to]`. They are valid until it returns or, if it
   * returns a promise, until that resolves; nothing more is read from the server before.
   */
  read(bytes: Buffer, from: number, to: number): Promise<void> | undefined
  /** Called after the last row. */
  end(): Promise<void> | undefined
  /** Called when the execution has failed, or its end. */
  failed?(): void
}
