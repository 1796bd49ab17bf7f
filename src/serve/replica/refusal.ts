/** Problems of requests that are refused before execution, with `Retry-After` values spread over time. */
import { Problem } from '../../model/errors.ts'
import type { Detail, RefusalReason } from '../../model/errors.ts'
import type { Milliseconds } from '../../model/terms.ts'

export type AdmissionRefusal = Exclude<RefusalReason, 'requests'>

/** The cause of a refusal after `QUEUE_TIMEOUT`. */
export class QueueTimeoutError extends Error {
  override readonly name = 'QueueTimeoutError'
}

/** `Retry-After` is a whole number of seconds up to this: Power Query accepts nothing else. */
const MAX_RETRY_AFTER_SECONDS = 120

/** @param retryMs until a retry will be admitted */
export function refuse(reason: AdmissionRefusal, retryMs: Milliseconds, cause: Error): Problem {
  const seconds = Math.max(1, Math.ceil(retryMs / 1000))
  const retryAfterSeconds = Math.min(MAX_RETRY_AFTER_SECONDS, seconds)
  const more = { cause, retryAfterSeconds, refusal: reason }
  return reason === 'overloaded'
    ? new Problem('overloaded', overloaded(seconds), more)
    : new Problem('rate_limited', queued(seconds), more)
}

const queued = (seconds: number): Detail => ({
  ru: `Отчёты вашей организации уже ждут очереди. Повторите запрос через ${seconds} с и отправляйте меньше запросов одновременно.`,
  en: `Reports of your organization are already queued. Retry in ${seconds} s, and send fewer requests at once.`,
})

const overloaded = (seconds: number): Detail => ({
  ru: `Сервис перегружен запросами многих организаций. Повторите запрос через ${seconds} с.`,
  en: `The service is overloaded by requests of many organizations. Retry in ${seconds} s.`,
})

/** Maximum random addition to the estimate in `Retry-After`, so that clients do not retry together. */
const JITTER = 0.2
/** Maximum number of clients with a retry in the same second. */
const MAX_A_SECOND = 48
const MAX_MS: Milliseconds = MAX_RETRY_AFTER_SECONDS * 1000

/**
 * @param promised retries up to its `nextRetryAt` have been promised to earlier clients; it is advanced
 * @param waitMs time until a retry would be admitted, without earlier clients
 * @param costMs time that one retry takes at the organization's share of the slots
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
  // why: `Retry-After` has a maximum; clients that ignore it must not advance the time further
  if (retryMs > MAX_MS) return retryMs
  promised.nextRetryAt = at + retryMs + Math.max(costMs, 1000 / MAX_A_SECOND)
  return retryMs * (1 + JITTER * random)
}
