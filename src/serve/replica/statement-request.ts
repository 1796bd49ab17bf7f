/** What is to be executed, whichever replica takes it. */
import type { Milliseconds } from '../../model/terms.ts'

export interface StatementRequest {
  /** `Definition.name`. */
  readonly name: string
  /** Equal for executions that read about as much: of one organization, over periods of like length. */
  readonly alike: string
  readonly text: string
  /** Of this text and no other, 63 bytes at most. */
  readonly preparedName: string
  readonly values: readonly string[]
  readonly timeoutMs: Milliseconds
  /** Not on a replica that may be further behind; undefined is any. */
  readonly maxLagMs?: Milliseconds | undefined
}

/** An execution that has to be admitted. */
export interface OrganizationRequest extends StatementRequest {
  readonly organizationId: string
  /** Equal for executions that give the same bytes: two of them never execute at once. */
  readonly identity: string
}

/** Whoever reads the rows cannot store them: the replica is well. */
export class ReaderFullError extends Error {}
