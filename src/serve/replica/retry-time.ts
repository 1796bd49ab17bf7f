/** When refused clients of an organization are told to come back: one after another. Knows only numbers. */
import type { Milliseconds } from '../../model/terms.ts'
import { MAX_RETRY_AFTER_SECONDS } from './refusal.ts'

/** `Retry-After` is up to so much longer than the estimate, so that clients do not come back together. */
const JITTER = 0.2
/** Clients that were told the same second come back together: no more than these at once. */
const MAX_A_SECOND = 48
const MAX_MS: Milliseconds = MAX_RETRY_AFTER_SECONDS * 1000

/**
 * @param promised the first moment that no client was told so far; it moves on
 * @param waitMs until a retry would be admitted, if nobody was told so far
 * @param costMs time of its share that a retry takes
 * @param random from 0 to 1
 */
export function promiseRetry(
  promised: { nextRetryAt: Milliseconds },
  at: Milliseconds,
  waitMs: Milliseconds,
  costMs: Milliseconds,
  random: number,
): Milliseconds {
  const retryMs = Math.max(waitMs, promised.nextRetryAt - at)
  // why: nothing is promised later than a client can be told; one that never obeys moves nothing further
  if (retryMs > MAX_MS) return retryMs
  promised.nextRetryAt = at + retryMs + Math.max(costMs, 1000 / MAX_A_SECOND)
  return retryMs * (1 + JITTER * random)
}
