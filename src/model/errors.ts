/**
 * The catalogue of errors that a client may receive. Codes are stable: never reused or renamed.
 * `serve/http/response.ts` makes the RFC 9457 response.
 */
export interface ProblemKind {
  readonly status: number
  readonly title: { readonly ru: string; readonly en: string }
}

export const PROBLEMS = {
  api_key_required: {
    status: 401,
    title: { ru: 'Нужен ключ API', en: 'An API key is required' },
  },
  api_key_invalid: {
    status: 401,
    title: { ru: 'Ключ API не действует', en: 'The API key is not valid' },
  },
  module_locked: {
    status: 402,
    title: { ru: 'Доступ открыт с тарифа «Бизнес»', en: 'The Business tier is required' },
  },
  not_found: {
    status: 404,
    title: { ru: 'Такого адреса нет', en: 'There is no such path' },
  },
  report_not_found: {
    status: 404,
    title: { ru: 'Такого отчёта нет', en: 'There is no such report' },
  },
  metric_not_found: {
    status: 404,
    title: { ru: 'Такого показателя нет', en: 'There is no such metric' },
  },
  method_not_allowed: {
    status: 405,
    title: { ru: 'Метод не поддерживается', en: 'The method is not allowed' },
  },
  bad_range: {
    status: 400,
    title: { ru: 'Период задан неверно', en: 'The period is not valid' },
  },
  bad_format: {
    status: 400,
    title: { ru: 'Такого формата нет', en: 'There is no such format' },
  },
  result_too_large: {
    status: 400,
    title: { ru: 'Ответ слишком велик', en: 'The result is too large' },
  },
  bad_request: {
    status: 400,
    title: { ru: 'Запрос составлен неверно', en: 'The request is malformed' },
  },
  request_timeout: {
    status: 408,
    title: { ru: 'Запрос не пришёл вовремя', en: 'The request took too long to arrive' },
  },
  range_not_satisfiable: {
    status: 416,
    title: { ru: 'В ответе нет таких байтов', en: 'The response has no such bytes' },
  },
  precondition_failed: {
    status: 412,
    title: { ru: 'Ответ изменился', en: 'The response has changed' },
  },
  precondition_required: {
    status: 428,
    title: { ru: 'Нужен If-Match', en: 'If-Match is required' },
  },
  rate_limited: {
    status: 429,
    title: { ru: 'Слишком много запросов', en: 'Too many requests' },
  },
  headers_too_large: {
    status: 431,
    title: { ru: 'Заголовки слишком велики', en: 'The request headers are too large' },
  },
  internal_error: {
    status: 500,
    title: { ru: 'Внутренняя ошибка', en: 'Internal error' },
  },
  access_unavailable: {
    status: 503,
    title: { ru: 'Ключ сейчас нельзя проверить', en: 'The key cannot be checked now' },
  },
  overloaded: {
    status: 503,
    title: { ru: 'Сервис перегружен', en: 'The service is overloaded' },
  },
  replica_unavailable: {
    status: 503,
    title: { ru: 'Данные сейчас недоступны', en: 'The data are not available now' },
  },
  report_timeout: {
    status: 504,
    title: { ru: 'Отчёт не успел построиться', en: 'The report ran out of its time' },
  },
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof PROBLEMS

/** One sentence in both languages, without SQL, hosts, keys or stacks. */
export interface Detail {
  readonly ru: string
  readonly en: string
}

/** Why a request was rejected before its execution. */
export const REFUSAL_REASONS = ['requests', 'waiting', 'overloaded'] as const
export type RefusalReason = (typeof REFUSAL_REASONS)[number]

/** An error that the client receives. `cause` is only logged. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly detail: Detail
  /** Whole seconds from 1 to 120; undefined if a retry does not help. */
  readonly retryAfterSeconds: number | undefined
  /** Set for `rate_limited` and `overloaded`, for the metric and the log. */
  readonly refusal: RefusalReason | undefined

  constructor(
    code: ProblemCode,
    detail: Detail,
    options: { cause?: unknown; retryAfterSeconds?: number; refusal?: RefusalReason } = {},
  ) {
    super(`${code}: ${detail.en}`, { cause: options.cause })
    this.code = code
    this.detail = detail
    this.retryAfterSeconds = options.retryAfterSeconds
    this.refusal = options.refusal
  }
}

/** The members of a problem's body. @see https://www.rfc-editor.org/rfc/rfc9457 */
export function problemFields(
  { code, detail }: Pick<Problem, 'code' | 'detail'>,
  language: keyof Detail,
  requestId: string,
) {
  const { status, title } = PROBLEMS[code]
  return {
    type: `urn:svodka:problem:${code}`,
    title: title[language],
    status,
    detail: detail[language],
    code,
    requestId,
  }
}

/** An error that the client did not cause. @param cause is only logged */
export function internalError(cause: unknown): Problem {
  return new Problem(
    'internal_error',
    {
      ru: 'Ошибка на нашей стороне. Сообщите нам requestId из этого ответа.',
      en: 'The fault is ours. Please send us the requestId of this response.',
    },
    { cause },
  )
}

/** A client's text, safe to repeat in a response: at most 40 characters, no control or bidirectional ones. */
export function printable(text: string): string {
  // why: cut first, since a client may send 16 KiB; a character is two UTF-16 code units at most
  const chars = Array.from(text.slice(0, 2 * (MAX_PRINTED + 1)))
  const safe = chars.slice(0, MAX_PRINTED).join('').replaceAll(UNPRINTABLE, '?')
  return chars.length > MAX_PRINTED ? `${safe}…` : safe
}

/** Characters. */
const MAX_PRINTED = 40
const UNPRINTABLE = /[^\p{L}\p{N}\p{P}\p{S} ]/gu
