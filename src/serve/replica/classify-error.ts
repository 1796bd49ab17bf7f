/** From what pg or the operating system throws to the problem that a client meets, and what is done about it. One table. */
import { internalError, Problem } from '../../model/errors.ts'
import type { Detail, ProblemCode } from '../../model/errors.ts'
import { RoleSettingsError } from './session-settings.ts'

/** What may help an execution after its error. */
export type Remedy =
  /** Conflict with replay or another transaction: a retry a little later, on another server if there is one. */
  | 'conflict'
  /** The server is unreachable or the connection broke: a retry on a new connection. */
  | 'transport'
  /** This server is none for reports, or its role is none, or it is full or too far behind: another may do. */
  | 'elsewhere'
  /** It would fail again, or harm. */
  | 'none'

interface Classified {
  readonly problem: Problem
  readonly remedy: Remedy
}

/**
 * The first that fits.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const SQLSTATES: ReadonlyArray<readonly [RegExp, keyof typeof PROBLEMS, Remedy]> = [
  [/^57014$/, 'report_timeout', 'none'],
  [/^53400$/, 'result_too_large', 'none'],
  [/^40(?:001|P01)$/, 'replica_unavailable', 'conflict'],
  // why: a server that starts, stops, refuses this role or cannot read its disk is as good as unreachable
  [/^(?:08...|25P03|28...|3D000|57P0[1-5]|58...)$/, 'replica_unavailable', 'transport'],
  // why: the rows that it needs are gone, and come back with a new snapshot
  [/^72000$/, 'replica_unavailable', 'conflict'],
  [/^53300$/, 'replica_unavailable', 'elsewhere'],
  // why: a retry on a server without memory or disk takes more of them
  [/^(?:53...|55P03)$/, 'replica_unavailable', 'none'],
]

const UNAVAILABLE_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'EACCES',
  'EPERM',
  'EPROTO',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'ENOENT',
])

/** OpenSSL's and Node's, of a certificate or of what is said under it. */
const UNAVAILABLE_TLS =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$|CRL_)/

/** pg's own transport errors carry no code (node-postgres 8.23). */
const UNAVAILABLE_MESSAGE =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout|The server does not support SSL|There was an error establishing an SSL connection|Client network socket disconnected|Cannot use a pool after calling end)/

/**
 * A problem stays what it is, and its cause says what is done; anything unknown is ours to explain:
 * `internal_error`.
 */
export function classify(error: unknown): Classified {
  if (error instanceof Problem) {
    // why: what ran out of its time or was too large is not asked again, whatever lies beneath
    const mayPass = error.code === 'replica_unavailable' && error.cause !== undefined
    return { problem: error, remedy: mayPass ? classify(error.cause).remedy : 'none' }
  }
  if (UNFIT.some(kind => error instanceof kind)) return unavailable(error, 'elsewhere')
  if (error instanceof UnreachedError) return unavailable(error, 'transport')
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string') {
    const found = SQLSTATES.find(([pattern]) => pattern.test(code))
    if (found) return { problem: replicaProblem(found[1], error), remedy: found[2] }
    if (UNAVAILABLE_SYSTEM.has(code) || UNAVAILABLE_TLS.test(code)) {
      return unavailable(error, 'transport')
    }
  }
  if (code === undefined && typeof message === 'string' && UNAVAILABLE_MESSAGE.test(message)) {
    return unavailable(error, 'transport')
  }
  return { problem: internalError(error), remedy: 'none' }
}

/** A server that takes writes was found instead of a replica. The message is for the log and for authors. */
export class WritableServerError extends Error {
  override readonly name = 'WritableServerError'

  constructor() {
    super('the server at DATABASE_URL is not in recovery; ALLOW_PRIMARY=true lets it in')
  }
}

/** It was near enough when the execution was sent there. */
export class TooFarBehindError extends Error {
  override readonly name = 'TooFarBehindError'
}

/** The server responds, but may not have the execution. */
const UNFIT = [WritableServerError, RoleSettingsError, TooFarBehindError]

/** There was no connection, whatever the reason. */
class UnreachedError extends Error {
  override readonly name = 'UnreachedError'
}

/** The error of a connection that could not be made: an unknown one is the server's, not the execution's. */
export function unreached(error: unknown): unknown {
  if (classify(error).problem.code !== 'internal_error') return error
  const { message } = error as { message?: unknown }
  return new UnreachedError(`no connection: ${String(message)}`, { cause: error })
}

function unavailable(error: unknown, remedy: Remedy): Classified {
  return { problem: replicaProblem('replica_unavailable', error), remedy }
}

/** Whether the server was unreachable: an error of PostgreSQL says that it was not, unless it starts or stops. */
export function isAway(error: unknown): boolean {
  const { severity, code } = error as { severity?: unknown; code?: unknown }
  return severity === undefined || (typeof code === 'string' && code.startsWith('57P'))
}

/** Whether this server had no time, memory, disk or lock for it: another may. */
export function isBusy(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^(?:57014|53[0-3]00|55P03)$/.test(code)
}

/** Whether this server has no connection left for us. */
export function isFull(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === '53300'
}

/** Whether there was no response, so that the next request may wait as long. */
export function isSilence(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code !== undefined) return code === 'ETIMEDOUT'
  return typeof message === 'string' && /time(?:out|d out)\b/.test(message)
}

/** Whether the server ended the session on purpose: one that stops takes no new one, and any other does at once. */
export function wasEnded(error: unknown): boolean {
  const cause = error instanceof Problem ? error.cause : error
  return (cause as { code?: unknown } | undefined)?.code === '57P01'
}

/** Whether there is no such database: it was dropped, with all its connections. */
export function isDropped(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === '57P04' || code === '3D000'
}

/** The problem alone. */
export function classifyError(error: unknown): Problem {
  return classify(error).problem
}

const PROBLEMS = {
  report_timeout: {
    ru: 'Отчёт не построился за отведённое ему время. Попробуйте период короче.',
    en: 'The report did not finish within its time. Try a shorter period.',
    retryAfterSeconds: 30,
  },
  result_too_large: {
    ru: 'Для этого отчёта за такой период не хватает места. Возьмите период короче.',
    en: 'The report needs more room than it may use. Take a shorter period.',
    retryAfterSeconds: undefined,
  },
  replica_unavailable: {
    ru: 'База данных отчётов сейчас недоступна. Повторите запрос позже.',
    en: 'The database of reports is not available now. Try again later.',
    retryAfterSeconds: 5,
  },
  overloaded: {
    ru: 'Все места для отчётов заняты. Повторите запрос позже.',
    en: 'All places for reports are taken. Try again later.',
    retryAfterSeconds: 5,
  },
} satisfies Partial<
  Record<ProblemCode, Detail & { readonly retryAfterSeconds: number | undefined }>
>

export function replicaProblem(code: keyof typeof PROBLEMS, cause: unknown): Problem {
  const { retryAfterSeconds, ...detail } = PROBLEMS[code]
  return new Problem(code, detail, { cause, ...(retryAfterSeconds && { retryAfterSeconds }) })
}
