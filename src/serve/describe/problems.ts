/** Errors as OpenAPI responses, one for each status, with an example for each code. */
import { problemFields, PROBLEMS } from '../../model/errors.ts'
import type { ProblemCode } from '../../model/errors.ts'
import { headerRefs } from './headers.ts'
import type { HeaderName } from './headers.ts'

const text = { type: 'string' }

export const PROBLEM_SCHEMA = {
  type: 'object',
  description:
    'RFC 9457. `code` is stable; `title` and `detail` are for people, in Russian or English.',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: text,
    status: { type: 'integer' },
    detail: text,
    code: { enum: Object.keys(PROBLEMS) },
    requestId: text,
  },
}

/** When each occurs: the `detail` of its example. */
const DETAILS: Readonly<Record<ProblemCode, string>> = {
  api_key_required:
    'Передайте ключ в заголовке Authorization: Bearer <ключ> или X-Api-Key: <ключ>.',
  api_key_invalid: 'Ключ неизвестен или отозван. Создайте другой в личном кабинете.',
  module_locked: 'Тариф организации не включает доступ к API.',
  not_found: 'Такого адреса нет; регистр и завершающая косая черта важны.',
  report_not_found: 'Отчёта с кодом «profit» нет.',
  metric_not_found: 'Неизвестные показатели: incom. Без параметра codes приходят все.',
  method_not_allowed:
    'Метод POST не поддерживается: данные можно только читать, методами GET и HEAD.',
  bad_range: 'Параметр from равен «tomorrow», а ожидалась дата вида 2026-01-31.',
  bad_format: 'Параметр format равен «xls», а ожидалось одно из: json, ndjson, csv, xlsx, parquet.',
  result_too_large: 'В ответе больше 10000 строк. Возьмите период короче.',
  bad_request: 'Параметра date_from нет; здесь есть from, to, compare, codes.',
  request_timeout: 'Запрос не пришёл целиком за отведённое время.',
  range_not_satisfiable: 'В ответе 1024 байт, а в Range запрошено: bytes=2000-.',
  rate_limited: 'Одновременно выполняется слишком много запросов организации. Повторите позже.',
  headers_too_large: 'Адрес и заголовки запроса вместе больше 16384 байт.',
  internal_error: 'Ошибка на нашей стороне. Сообщите нам requestId из этого ответа.',
  access_unavailable: 'Ключ сейчас нельзя проверить. Повторите запрос позже.',
  overloaded: 'Сервис перегружен. Повторите запрос позже.',
  replica_unavailable: 'Данные сейчас недоступны. Повторите запрос позже.',
  report_timeout: 'Отчёт не успел построиться. Возьмите период короче.',
}

/** Headers that a status has besides the common ones. */
const HEADERS_OF: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
  504: ['Retry-After'],
}

const CODES = Object.keys(PROBLEMS) as ProblemCode[]
const STATUSES = [...new Set(CODES.map(code => PROBLEMS[code].status))]

/** By name, as in `Problem404`. */
export function problemResponses(): Record<string, object> {
  return Object.fromEntries(STATUSES.map(status => [`Problem${status}`, responseOf(status)]))
}

/** References for an operation, by status. */
export function problemRefs(statuses: readonly number[]): Record<string, object> {
  return Object.fromEntries(
    statuses.map(status => [status, { $ref: `#/components/responses/Problem${status}` }]),
  )
}

function responseOf(status: number): object {
  const codes = CODES.filter(code => PROBLEMS[code].status === status)
  return {
    description: codes.map(code => `\`${code}\`: ${PROBLEMS[code].title.en}`).join('; '),
    headers: headerRefs(['Content-Language', ...(HEADERS_OF[status] ?? [])]),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map(code => [code, { value: exampleOf(code) }])),
      },
    },
  }
}

function exampleOf(code: ProblemCode): object {
  const detail = { ru: DETAILS[code], en: DETAILS[code] }
  return problemFields({ code, detail }, 'ru', '9d6c10607b838907-8')
}
