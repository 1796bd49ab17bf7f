/** What is executed on a replica, and the rows that it returns, as PostgreSQL sends them. */
import type { Instant, Milliseconds, RawField } from '../../model/terms.ts'
import type { StatementText } from '../../definitions/definition.ts'
import type { RequestOrigin } from '../../model/observation.ts'

export interface ReportStatement {
  /** For the admission queue. */
  readonly organizationId: string
  /** `Definition.name`. */
  readonly name: string
  /**
   * Equal for executions that read similar amounts, and may share a plan: of one organization, over periods of similar
   * length. Undefined if a plan suits only its own values.
   */
  readonly similarityKey: string | undefined
  readonly text: StatementText
  /**
   * The text after a comment that names the definition, since `pg_stat_activity` truncates statements. Commands send
   * the text without it, and map positions in errors to lines.
   */
  readonly commentedText: string
  /** Unique for this text, 63 bytes at most. */
  readonly preparedName: string
  readonly values: readonly RawField[]
  /**
   * The limit of the definition for the time spent waiting for PostgreSQL: it does not run while this process is busy with
   * rows that have arrived, nor in a queue. What is left of it for a retry.
   */
  readonly timeoutMs: Milliseconds
  /** The limit of the replica's lag; undefined if any is accepted. */
  readonly maxLagMs?: Milliseconds | undefined
  /** Undefined for commands. */
  readonly origin?: RequestOrigin | undefined
}

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
export type UseRows<T> = (rows: Rows) => T | Promise<T>

/** What a reader makes of rows. */
export interface Counted {
  readonly rowCount: number
}
