/** From what pg or the operating system throws to the problem that a client meets. One table. */
import { internalError, Problem } from '../errors.ts'
import type { ProblemCode } from '../errors.ts'

/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNAVAILABLE_SQLSTATE = /^(08...|57P0[1-5]|53...|40001|40P01|55P03|28...|3D000)$/
const QUERY_CANCELED = '57014'
const TEMP_FILE_LIMIT = '53400'

const UNAVAILABLE_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
])

/** pg's own transport errors carry no code (node-postgres 8.23). */
const UNAVAILABLE_MESSAGE =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout|The server does not support SSL|Cannot use a pool after calling end)/

const RETRY_AFTER_SECONDS: Partial<Record<ProblemCode, number>> = {
  replica_unavailable: 5,
  overloaded: 5,
  report_timeout: 30,
}

/** A problem stays what it is; anything unknown is ours to explain: `internal_error`. */
export function classifyError(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === QUERY_CANCELED) return replicaProblem('report_timeout', error)
  if (code === TEMP_FILE_LIMIT) return replicaProblem('result_too_large', error)
  if (
    typeof code === 'string' &&
    (UNAVAILABLE_SQLSTATE.test(code) || UNAVAILABLE_SYSTEM.has(code))
  ) {
    return replicaProblem('replica_unavailable', error)
  }
  if (code === undefined && typeof message === 'string' && UNAVAILABLE_MESSAGE.test(message)) {
    return replicaProblem('replica_unavailable', error)
  }
  return internalError(error)
}

const DETAILS = {
  report_timeout: {
    ru: 'Отчёт не построился за отведённое ему время. Попробуйте период короче.',
    en: 'The report did not finish within its time. Try a shorter period.',
  },
  result_too_large: {
    ru: 'Для этого отчёта за такой период не хватает места. Возьмите период короче.',
    en: 'The report needs more room than it may use. Take a shorter period.',
  },
  replica_unavailable: {
    ru: 'База данных отчётов сейчас недоступна. Повторите запрос позже.',
    en: 'The database of reports is not available now. Try again later.',
  },
  overloaded: {
    ru: 'Все места для отчётов заняты. Повторите запрос позже.',
    en: 'All places for reports are taken. Try again later.',
  },
} as const satisfies Partial<Record<ProblemCode, { ru: string; en: string }>>

export function replicaProblem(code: keyof typeof DETAILS, cause: unknown): Problem {
  const retryAfterSeconds = RETRY_AFTER_SECONDS[code]
  return new Problem(code, DETAILS[code], {
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}
