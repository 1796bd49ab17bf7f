/** Maps errors of pg and the operating system to the problem that the client gets, the remedy, and their words. */
import { internalError, Problem } from '../../model/errors.ts'

/** What may help an execution after its error. */
type Remedy =
  /** Conflict with replay or another transaction: a retry after a moment, on another server if there is one. */
  | 'conflict'
  /** The server is unreachable or the connection broke: a retry on a new connection. */
  | 'transport'
  /** This server is writable, full, too far behind or not the probed one: fallback to another server. */
  | 'elsewhere'
  /** A retry would fail again or do harm. */
  | 'none'

/**
 * The first match applies.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const SQLSTATES: ReadonlyArray<readonly [RegExp, Remedy, UnavailableCode?]> = [
  [/^(?:57014|25P04)$/, 'none', 'report_timeout'],
  [/^53400$/, 'none', 'result_too_large'],
  [/^40(?:001|P01)$/, 'conflict'],
  // why: a server that starts, stops, refuses this role or cannot read its disk is treated as unreachable
  [/^(?:08...|25P03|28...|3D000|57P0[1-5]|58...)$/, 'transport'],
  // why: row versions of the snapshot were removed; a new snapshot does not need them
  [/^72000$/, 'conflict'],
  [/^53300$/, 'elsewhere'],
  // why: a retry on a server without memory or disk space makes it worse
  [/^(?:53...|55P03)$/, 'none'],
]

/** Errors of pg and the operating system have no class in common, and their codes are those of many other failures. */
const transportErrors = new WeakSet<Error>()

/** Marks an error of a connection, which is not the fault of the execution. @returns the same error */
export function transportError<E>(error: E): E {
  if (error instanceof Error) transportErrors.add(error)
  return error
}

/**
 * A problem is returned unchanged; its cause determines the remedy. An unknown error is a defect of the gateway:
 * `internal_error`.
 */
export function classify(error: unknown): { readonly problem: Problem; readonly remedy: Remedy } {
  if (error instanceof Problem) {
    // why: a timeout or a result that is too large is not retried, whatever its cause
    const mayPass = error.code === 'replica_unavailable' && error.cause !== undefined
    return { problem: error, remedy: mayPass ? classify(error.cause).remedy : 'none' }
  }
  const [, ofCode, code = 'replica_unavailable'] =
    SQLSTATES.find(([pattern]) => pattern.test(codeOf(error))) ?? []
  const isTransport = error instanceof Error && transportErrors.has(error)
  const remedy = ofCode ?? (isUnsuitable(error) ? 'elsewhere' : isTransport && 'transport')
  if (!remedy) return { problem: internalError(error), remedy: 'none' }
  return { problem: replicaProblem(remedy === 'conflict' ? remedy : code, error), remedy }
}

/** The server responds, but must not execute. The message is for the log and for authors. */
export class UnsuitableServerError extends Error {
  override readonly name = 'UnsuitableServerError'
}

/** A setting that does not exist, so that PostgreSQL's error names it. @see createPeerCheck */
export const ANOTHER_SERVER = 'svodka.another_server'

/** The same for a server that is not in recovery. @see createReportPool */
export const WRITABLE_SERVER = 'svodka.writable_server'

export function isAnotherServer(error: unknown): boolean {
  return String(error).includes(ANOTHER_SERVER)
}

function isUnsuitable(error: unknown): boolean {
  const isOfGuard = isAnotherServer(error) || String(error).includes(WRITABLE_SERVER)
  return isOfGuard || error instanceof UnsuitableServerError
}

/** SQLSTATE, or the code of the operating system; empty if there is none. */
function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** Whether the server was unreachable. An error of PostgreSQL proves the opposite, unless the server starts or stops. */
export function isUnavailable(error: unknown): boolean {
  const isOfPostgres = (error as { readonly severity?: unknown }).severity !== undefined
  return !isOfPostgres || codeOf(error).startsWith('57P')
}

/** Whether the statement could not compute with a value, such as 0 or one that is too large. */
export const isDataException = (error: unknown): boolean => codeOf(error).startsWith('22')

/** Whether the server refuses more connections. */
export const isFull = (error: unknown): boolean => codeOf(error) === '53300'

/** Whether the response timed out, so that the next request may wait as long. */
export const isSilence = (error: unknown): boolean => codeOf(error) === 'ETIMEDOUT'

export function classifyError(error: unknown): Problem {
  return classify(error).problem
}

/** Detail and `Retry-After`. */
const UNAVAILABLE = {
  report_timeout: ['timedOut', 30],
  result_too_large: ['noSpaceToExecute', undefined],
  conflict: ['dataChanged', 5],
  replica_unavailable: ['noDatabase', 5],
} as const

type UnavailableCode = Exclude<keyof typeof UNAVAILABLE, 'conflict'>

export function replicaProblem(reason: keyof typeof UNAVAILABLE, cause: unknown): Problem {
  const [text, retryAfterSeconds] = UNAVAILABLE[reason]
  const code = reason === 'conflict' ? 'replica_unavailable' : reason
  return new Problem(code, texts => texts[text], {
    cause,
    ...(retryAfterSeconds && { retryAfterSeconds }),
  })
}

/** PostgreSQL's message with its detail and hint. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, detail, hint, code } = error as Error &
    Partial<Record<'detail' | 'hint' | 'code', string>>
  const words = message === '' ? (code ?? error.name) : message
  return [words, detail, hint].filter(text => text !== undefined && text !== '').join('; ')
}

/** The words without messages that may hold values of rows: those about data, and those of the product's functions. */
export function wordsWithoutValues(error: unknown): string {
  const { code = '' } = error as { readonly code?: string }
  return /^(?:22|23|P0)/.test(code) ? `SQLSTATE ${code}, see the log` : wordsOf(error)
}

/** The error with the database's name as `replica`: errors of pg have an address at most. */
export function named(name: string, error: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { replica: name }) : error
}
