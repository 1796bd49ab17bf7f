/** A request for an execution, independent of the replica. */
import type { StatementText } from '../../definitions/definition.ts'
import type { RequestOrigin } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'

export interface StatementRequest {
  /** For the admission queue. */
  readonly organizationId: string
  /** `Definition.name`. */
  readonly name: string
  /** Equal for executions that read similar amounts: of one organization, over periods of similar length. */
  readonly similarityKey: string
  readonly text: StatementText
  /**
   * The text after a comment that names the definition, since `pg_stat_activity` truncates statements. Commands send
   * the text without it, and map positions in errors to lines.
   */
  readonly commentedText: string
  /** Unique for this text, 63 bytes at most. */
  readonly preparedName: string
  readonly values: readonly string[]
  /** Of the definition; of a retry, what is left of it. */
  readonly timeoutMs: Milliseconds
  /** Of the replica; undefined if any lag is accepted. */
  readonly maxLagMs?: Milliseconds | undefined
  /** Undefined for commands. */
  readonly origin?: RequestOrigin | undefined
}
