/**
 * An error as fields of a log line, by an allow list: errors of PostgreSQL have rows and bound values in `detail` and
 * `where`, for invalid values also in the message, and errors of other libraries have the statement.
 */
import type { RemoveSecrets } from '../../model/secrets.ts'

const MAX_MESSAGE = 2000
const MAX_STACK = 8000
const MAX_CAUSES = 5

/** The server's fields that name objects of the schema or the server's own code, never a value; and those of Node. */
const SAFE_FIELDS =
  'code severity schema table column dataType constraint position file line routine syscall address port'.split(
    ' ',
  )

/** Classes of SQLSTATE whose `detail` describes the server: conflict, resources, lock, shutdown. */
const HARMLESS_DETAIL = /^(?:40|53|55|57)/

/** `invalid input syntax for type integer: "..."`: the value may be of any row. */
const INVALID_VALUE = /^22/
/** From the first quote to the last, as a value may have quotes; as translations of the messages have them, too. */
const VALUES = /["«»„“”‘’].*["«»„“”‘’]/s

const defects = new WeakSet<Error>()

/** An SQLSTATE, or an error of the operating system such as `ECONNREFUSED`; not `ERR_INVALID_ARG_TYPE`. */
const OPERATIONAL_CODE = /^(?:[\dA-Z]{5}|E(?!RR_)[A-Z]+)$/

/** The line of the error has its stack at any level. */
export function markDefect(error: unknown): void {
  if (error instanceof Error) defects.add(error)
}

/** Calls `markDefect` unless a code says what has failed. */
export function markDefectWithoutCode(error: unknown): void {
  for (let each = error; each instanceof Error; each = each.cause)
    if (OPERATIONAL_CODE.test(read(each, 'code') ?? '')) return
  markDefect(error)
}

/**
 * Fields of any thrown value, with its causes.
 * @param removeSecrets called before texts are truncated, since a truncated secret is not recognized
 * @param hasStacks whether those that are not marked have their stack, too
 */
export function errorFields(
  error: unknown,
  removeSecrets: RemoveSecrets,
  hasStacks: boolean,
  depth = MAX_CAUSES,
): object {
  if (!(error instanceof Error))
    return { type: typeof error, message: removeSecrets(String(error)) }
  const clean = (text: string | undefined, maxLength?: number): string | undefined =>
    text && removeSecrets(text).slice(0, maxLength)
  const code = read(error, 'code') ?? ''
  const withStack = hasStacks || defects.has(error)
  const original = messageOf(error)
  const message = INVALID_VALUE.test(code) ? original.replace(VALUES, '"…"') : original
  const { cause } = error
  const hasCause = cause !== undefined && depth > 0
  return {
    type: error.constructor.name,
    message: clean(message, MAX_MESSAGE),
    ...Object.fromEntries(SAFE_FIELDS.map(name => [name, clean(read(error, name))])),
    detail: HARMLESS_DETAIL.test(code) ? clean(read(error, 'detail')) : undefined,
    stack: withStack
      ? clean(
          error.stack?.replace(original, () => message),
          MAX_STACK,
        )
      : undefined,
    cause: hasCause ? errorFields(cause, removeSecrets, withStack, depth - 1) : undefined,
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
