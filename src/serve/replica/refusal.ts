/** Problems of requests that are refused before they are executed, and when their clients should come back. */
import { Problem } from '../../model/errors.ts'
import type { Detail, RefusalReason } from '../../model/errors.ts'
import type { Milliseconds } from '../../model/terms.ts'

export type AdmissionRefusal = Exclude<RefusalReason, 'requests'>

/** `Retry-After` is a whole number of seconds up to this: Power Query reads nothing else. */
export const MAX_RETRY_AFTER_SECONDS = 120

/** @param retryMs until a retry will be admitted */
export function refuse(reason: AdmissionRefusal, retryMs: Milliseconds, cause: Error): Problem {
  const seconds = Math.max(1, Math.ceil(retryMs / 1000))
  return new Problem(
    reason === 'overloaded' ? 'overloaded' : 'rate_limited',
    detail(reason, seconds),
    {
      cause,
      retryAfterSeconds: Math.min(MAX_RETRY_AFTER_SECONDS, seconds),
      refusal: reason,
    },
  )
}

function detail(reason: AdmissionRefusal, seconds: number): Detail {
  switch (reason) {
    case 'waiting':
    case 'backlog':
      return {
        ru: `Отчёты вашей организации уже ждут очереди. Повторите запрос через ${seconds} с и отправляйте меньше запросов одновременно.`,
        en: `Reports of your organization are already queued. Retry in ${seconds} s, and send fewer requests at once.`,
      }
    case 'budget':
      return {
        ru: `Время базы данных вашей организации израсходовано. Повторите запрос через ${seconds} с.`,
        en: `The database time of your organization is used up. Retry in ${seconds} s.`,
      }
    case 'overloaded':
      return {
        ru: `Сервис перегружен запросами многих организаций. Повторите запрос через ${seconds} с.`,
        en: `The service is overloaded by requests of many organizations. Retry in ${seconds} s.`,
      }
  }
}
