/** The problem of a request that is refused instead of executed, with `Retry-After` from the present backlog. */
import { Problem, type Detail } from '../../model/errors.ts'
import type { Milliseconds } from '../../model/terms.ts'

/** Power Query accepts nothing but whole seconds up to this. */
const MAX_RETRY_AFTER_SECONDS = 120

/** @param backlogMs time until what waits now has been admitted */
export function refusal(
  reason: keyof typeof DETAILS,
  backlogMs: Milliseconds,
  cause: string,
): Problem {
  const seconds = Math.max(1, Math.ceil(backlogMs / 1000))
  return new Problem(reason === 'waiting' ? 'rate_limited' : 'overloaded', DETAILS[reason], {
    cause: new Error(cause),
    retryAfterSeconds: Math.min(MAX_RETRY_AFTER_SECONDS, seconds),
    refusal: reason,
  })
}

const DETAILS = {
  waiting: {
    ru: 'Отчёты вашей организации уже ждут очереди. Повторите запрос позже и отправляйте меньше запросов одновременно.',
    en: 'Reports of your organization are already queued. Retry later, and send fewer requests at once.',
  },
  overloaded: {
    ru: 'Сервис перегружен запросами. Повторите запрос позже.',
    en: 'The service is overloaded by requests. Retry later.',
  },
} satisfies Record<string, Detail>
