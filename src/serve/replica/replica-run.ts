/** A run as reports hand it over, whichever replica takes it. */
import type { Problem } from '../../model/errors.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { RowSink } from './run-statement.ts'

export interface ReplicaRun {
  /** `Definition.name`. */
  readonly name: string
  /** Equal for runs that read about as much: of one organization, over periods of like length. */
  readonly alike: string
  readonly text: string
  /** Of this text and no other, 63 bytes at most. */
  readonly preparedName: string
  readonly values: readonly string[]
  readonly timeoutMs: Milliseconds
  /** How long it has waited for its slot. */
  readonly queueMs?: Milliseconds
  /** Not on a replica that may be further behind; undefined is any. */
  readonly maxLagMs?: Milliseconds | undefined
  /** Called once a connection is there, and again where the run is made again: what was read before is void then. */
  readonly open: () => Reading
  /** Nobody wants the answer any more. */
  readonly signal: AbortSignal
}

/** A run that has to be admitted. */
export interface OrganizationRun extends ReplicaRun {
  readonly organizationId: string
  /** Equal for runs that give the same bytes: two of them never execute at once. */
  readonly identity: string
}

/** Who takes the rows of one execution. */
export interface Reading {
  readonly sink: RowSink
  /** After the last row; what it throws fails the run. */
  finish(): void
  /** Some of it has been handed on, so that it cannot be read again. */
  isOut(): boolean
}

/** Who takes the rows has no room left for them: the replica is well. */
export class SinkFullError extends Error {}

export interface Runs {
  /**
   * @throws Problem `replica_unavailable`, `overloaded`, `rate_limited`, `report_timeout`, `internal_error`, or the
   *   one that the sink threw; the signal's reason.
   */
  run(run: OrganizationRun): Promise<void>
}

/** An attempt that was abandoned hands over nothing more, and does not finish. */
export function onlyWhile(signal: AbortSignal, reading: Reading): Reading {
  return {
    sink: reading.sink,
    isOut: () => reading.isOut(),
    finish() {
      if (signal.aborted) throw signal.reason as Problem
      reading.finish()
    },
  }
}
