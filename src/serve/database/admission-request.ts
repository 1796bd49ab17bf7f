/** What asks for the right to execute, that right, and why it is refused. Knows no pg. */
import type { Stop } from '../../model/stop.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { Problem } from '../../model/errors.ts'

export interface AdmissionRequest<Replica> {
  readonly organizationId: string
  /** Usable replicas, with or without a free slot, the best first. Requests with the same function share its result. */
  readonly usable: () => readonly Replica[]
  /** The error if no replica is usable. */
  readonly noneUsable: () => Error
  /** It was admitted before and lost its replica: it goes first, however many wait. */
  readonly isRetry: boolean
  /** Its reason is what `acquire` rejects with. */
  readonly stop: Stop
}

/** The right to execute on a replica now. An execution never holds one while it waits for another. */
export interface Slot<Replica> {
  readonly replica: Replica
  readonly startedAt: Milliseconds
  readonly queueMs: Milliseconds
  release(): void
}

/** Power Query accepts nothing but whole seconds up to this. */
const MAX_RETRY_AFTER_SECONDS = 120

/** @param backlogMs time until what waits now has been admitted */
export function refusal(
  reason: 'waiting' | 'overloaded',
  backlogMs: Milliseconds,
  cause: string,
): Problem {
  const seconds = Math.max(1, Math.ceil(backlogMs / 1000))
  const isWaiting = reason === 'waiting'
  const text = isWaiting ? 'queued' : 'overloaded'
  return new Problem(isWaiting ? 'rate_limited' : 'overloaded', texts => texts[text], {
    cause: new Error(cause),
    retryAfterSeconds: Math.min(MAX_RETRY_AFTER_SECONDS, seconds),
    refusal: reason,
  })
}
