/** The problem of a request whose key cannot be checked. */
import { Problem } from '../../model/errors.ts'

const RETRY_AFTER_SECONDS = 5

const DETAILS = {
  database: {
    ru: 'База ключей сейчас не отвечает. Повторите запрос позже.',
    en: 'The key database does not respond now. Try again later.',
  },
  row: {
    ru: 'Запись вашей организации содержит ошибку на нашей стороне. Повторите запрос позже.',
    en: 'The record of your organization has an error on our side. Try again later.',
  },
  crowd: {
    ru: 'Слишком много ключей ожидает проверки. Повторите запрос позже.',
    en: 'Too many keys are waiting to be checked. Try again later.',
  },
} as const

/** @param cause is only logged */
export function accessUnavailable(reason: keyof typeof DETAILS, cause: unknown): Problem {
  const options = { cause, retryAfterSeconds: RETRY_AFTER_SECONDS }
  return new Problem('access_unavailable', DETAILS[reason], options)
}
