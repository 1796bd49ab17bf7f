/**
 * An error as fields of a log line, by an allow list: errors of PostgreSQL have rows and bound values in `detail` and
 * `where`, for invalid values also in the message, and errors of other libraries have the statement.
 */

import type { RemoveSecrets } from '../../model/secrets.ts'

const MAX_MESSAGE = 2000
const MAX_STACK = 8000
const MAX_CAUSES = 5

/** The server's fields that name objects of the schema or the server's own code, never a value. */
const SERVER_FIELDS = [
  'severity',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
  'position',
  'file',
  'line',
  'routine',
  'syscall',
  'address',
  'port',
] as const

/** Classes of SQLSTATE whose `detail` describes the server: conflict, resources, lock, shutdown. */
const HARMLESS_DETAIL = /^(?:40|53|55|57)/

/** `invalid input syntax for type integer: "..."`: the value may be of any row. */
const INVALID_VALUE = /^22/
/** From the first quote to the last, as a value may have quotes; as translations of the messages have them, too. */
const VALUES = /["«»„“”‘’].*["«»„“”‘’]/s

interface ErrorFields {
  readonly type: string
  readonly message: string
  readonly stack?: string
  readonly code?: string
  readonly cause?: ErrorFields
  readonly [field: string]: unknown
}

const defects = new WeakSet<Error>()

/** Marks an error whose line has its stack at any level. @returns the error */
export function defect(error: unknown): unknown {
  if (error instanceof Error) defects.add(error)
  return error
}

export function isDefect(error: unknown): boolean {
  return error instanceof Error && defects.has(error)
}

/** An SQLSTATE, or an error of the operating system such as `ECONNREFUSED`; not `ERR_INVALID_ARG_TYPE`. */
const OPERATIONAL_CODE = /^(?:[\dA-Z]{5}|E(?!RR_)[A-Z]+)$/

/** As `defect`, unless a code says what has failed. */
export function defectWithoutCode(error: unknown): unknown {
  for (let each = error; each instanceof Error; each = each.cause)
    if (OPERATIONAL_CODE.test(read(each, 'code') ?? '')) return error
  return defect(error)
}

/**
 * Any thrown value, with its causes.
 *
 * @param removeSecrets called before texts are truncated, since a truncated secret is not recognized
 */
export function errorFields(
  error: unknown,
  removeSecrets: RemoveSecrets,
  withStack: boolean,
  depth = MAX_CAUSES,
): ErrorFields {
  if (!(error instanceof Error))
    return { type: typeof error, message: removeSecrets(String(error)) }
  const fields: Record<string, unknown> = {}
  for (const name of SERVER_FIELDS) {
    const value = read(error, name)
    if (value !== undefined) fields[name] = value
  }
  const code = read(error, 'code')
  const detail = read(error, 'detail')
  const message = messageOf(error)
  const withoutValues = INVALID_VALUE.test(code ?? '') ? message.replace(VALUES, '"…"') : message
  const stack = error.stack?.replace(message, () => withoutValues)
  return {
    type: error.constructor.name,
    message: removeSecrets(withoutValues).slice(0, MAX_MESSAGE),
    ...(code !== undefined && { code }),
    ...fields,
    ...(HARMLESS_DETAIL.test(code ?? '') &&
      detail !== undefined && { detail: removeSecrets(detail) }),
    ...(withStack && stack !== undefined && { stack: removeSecrets(stack).slice(0, MAX_STACK) }),
    ...(error.cause !== undefined &&
      depth > 0 && { cause: errorFields(error.cause, removeSecrets, withStack, depth - 1) }),
  }
}

/** If a connection fails on every address of a host name, the messages are in `errors`. */
function messageOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message
  return error.errors.map(each => (each instanceof Error ? each.message : String(each))).join('; ')
}

function read(error: Error, name: string): string | undefined {
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Quantities that grow during an outage: a lag, a wait, a file size. */
const QUANTITY = /\d+(?:\.\d+)?(?= (?:s|ms|bytes)\b)/g

/** Equal for errors with one code, and for messages that differ only in quantities. */
export function errorIdentity(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return read(error, 'code') ?? messageOf(error).replaceAll(QUANTITY, '')
}
