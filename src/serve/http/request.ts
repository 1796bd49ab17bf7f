/** A request as a value: what HTTP said, parsed once. Knows neither Koa nor the fast path. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Catalog } from '../../definitions/definition.ts'
import type { Product } from '../../definitions/product.ts'
import { Problem } from '../../model/errors.ts'
import type { RequestOrigin, Route } from '../../model/observation.ts'
import { createStop } from '../../model/stop.ts'
import { PREFIX, REPORT_FORMATS, type Bytes, type Milliseconds } from '../../model/terms.ts'
import type { Reader } from '../access/access-rows.ts'
import { presentedKey } from '../access/organization-lookup.ts'

/** What its raw headers say, read in one pass when it arrives. */
export interface RequestHead extends RequestTarget {
  /** Size of the target and the headers. */
  readonly bytes: Bytes
  /** A repeated header is one list; a repeated key is empty. */
  readonly headers: RequestHeaders
  /** Why the request is rejected, whatever it asks for. */
  readonly problem: Problem | undefined
}

interface RequestTarget {
  /** Percent-encoded, as received; `*` for the target `*`. */
  readonly path: string
  /** Without the question mark. */
  readonly queryString: string
}

/** Limit for the target and the headers: names, values and `HEADER_OVERHEAD_BYTES` for each. */
export const MAX_HEADER_BYTES: Bytes = 16 * 1024
/** Lines: a repeated header counts each time. */
export const MAX_HEADERS = 100

/** Colon, space and line end of a header. */
const HEADER_OVERHEAD_BYTES: Bytes = 4

const FIELDS = {
  accept: 'accept',
  'accept-encoding': 'acceptEncoding',
  'accept-language': 'acceptLanguage',
  'access-control-request-method': 'requestedMethod',
  authorization: 'authorization',
  'cache-control': 'cacheControl',
  host: 'host',
  'if-match': 'ifMatch',
  'if-none-match': 'ifNoneMatch',
  'if-range': 'ifRange',
  origin: 'origin',
  range: 'range',
  traceparent: 'traceparent',
  'transfer-encoding': 'transferEncoding',
  'x-api-key': 'apiKey',
  'x-forwarded-for': 'forwardedFor',
  'x-request-id': 'requestId',
} as const

type Field = (typeof FIELDS)[keyof typeof FIELDS]
export type RequestHeaders = Readonly<Record<Field, string | undefined>>

const FIELD_OF_NAME: ReadonlyMap<string, Field> = new Map(Object.entries(FIELDS))
const NO_HEADERS = Object.fromEntries(
  Object.values(FIELDS).map(field => [field, undefined]),
) as RequestHeaders
const INVALID_TARGET: RequestTarget = { path: '', queryString: '' }

export function readHead({ url = '', rawHeaders, httpVersion }: IncomingMessage): RequestHead {
  const headers: Record<Field, string | undefined> = { ...NO_HEADERS }
  let bytes = url.length
  let hostCount = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    const value = rawHeaders[at + 1]!
    bytes += name.length + value.length + HEADER_OVERHEAD_BYTES
    const field = FIELD_OF_NAME.get(name.toLowerCase())
    if (field === undefined) continue
    if (field === 'host') hostCount += 1
    const previous = headers[field]
    if (previous === undefined) headers[field] = value
    else if (field === 'authorization' || field === 'apiKey') headers[field] = ''
    else headers[field] = `${previous}, ${value}`
  }
  const target = parseTarget(url)
  const isHostValid = hostCount === 1 || (hostCount === 0 && httpVersion === '1.0')
  const isValid = isHostValid && hasKnownEnd(headers.transferEncoding) && target !== INVALID_TARGET
  const isTooLarge = bytes > MAX_HEADER_BYTES || rawHeaders.length > 2 * MAX_HEADERS
  const problem = isTooLarge ? HEADERS_TOO_LARGE : isValid ? undefined : NOT_HTTP
  const { path, queryString } = target
  return { path, queryString, bytes, headers, problem }
}

/** The end of a body is unknown unless `chunked` is the last coding. Node checks it too late for a problem. */
function hasKnownEnd(transferEncoding: string | undefined): boolean {
  if (transferEncoding === undefined) return true
  return /(?:^|[\s,])chunked\s*$/i.test(transferEncoding)
}

/** A host name has at most 253 characters. */
const ABSOLUTE = /^https?:\/\/[^/?#]{1,512}(?=[/?#]|$)/i

/**
 * In linear time. `INVALID_TARGET` unless the target is a path, an absolute `http` or `https` URL, or `*`.
 * @see https://www.rfc-editor.org/rfc/rfc9112#name-request-target
 */
function parseTarget(target: string): RequestTarget {
  if (target.startsWith('/') || target === '*') return pathAndQuery(target)
  const authority = ABSOLUTE.exec(target)?.[0]
  if (authority === undefined || !URL.canParse(authority)) return INVALID_TARGET
  const { path, queryString } = pathAndQuery(target.slice(authority.length))
  return { path: path === '' ? '/' : path, queryString }
}

function pathAndQuery(text: string): RequestTarget {
  const hash = text.indexOf('#')
  const withoutFragment = hash < 0 ? text : text.slice(0, hash)
  const mark = withoutFragment.indexOf('?')
  if (mark < 0) return { path: withoutFragment, queryString: '' }
  return { path: withoutFragment.slice(0, mark), queryString: withoutFragment.slice(mark + 1) }
}

export const HEADERS_TOO_LARGE = new Problem('headers_too_large', texts =>
  texts.headersTooLarge(MAX_HEADER_BYTES, MAX_HEADERS),
)

export const NOT_HTTP = new Problem('bad_request', texts => texts.notHttp)

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

export type Request = Readonly<ReturnType<typeof createRequest>>

export function createRequest(
  { method = 'unknown', url = '', httpVersionMinor }: IncomingMessage,
  { path, queryString, headers, problem }: RequestHead,
  startedAt: Milliseconds,
  receivedAt: Milliseconds,
  product: Product,
) {
  const { requestId = '', authorization, apiKey } = headers
  const isValidId = CLIENT_REQUEST_ID.test(requestId)
  const origin: RequestOrigin = { requestId: isValidId ? requestId : randomUUID() }
  return {
    // why: copied by a spread, the object is a dictionary, and a hit takes half as much CPU again
    path,
    queryString,
    headers,
    /** Why the request is rejected. */
    problem,
    method,
    /** The target as received. */
    url,
    isHttp10: httpVersionMinor === 0,
    key: presentedKey(authorization, apiKey),
    /** `X-Request-Id` of the client, or a generated one. Identifies the request in observations. */
    origin,
    startedAt,
    /** Time of the wall clock, which determines today's date. */
    receivedAt,
    /** At the start of the request. */
    product,
    /** Stopped when the client has disconnected, or at the deadline. */
    stop: createStop(),
  }
}

/** The organization of a valid key and what it may read, and when its look-up ended. */
export interface Access {
  readonly organization: Reader
  readonly checkedAt: Milliseconds
}

/** @throws Problem `method_not_allowed` unless the method reads */
export function requireRead({ method }: Request): void {
  if (method === 'GET' || method === 'HEAD') return
  throw new Problem('method_not_allowed', texts => texts.methodNotAllowed(method))
}

const ROUTES: ReadonlyMap<string, Route> = new Map([
  [`${PREFIX}/ping`, 'ping'],
  [`${PREFIX}/reports`, 'reports'],
  [`${PREFIX}/metrics`, 'metrics'],
  [`${PREFIX}/metrics/schema`, 'schema'],
  [`${PREFIX}/openapi.json`, 'schema'],
])
const OF_REPORT = `${PREFIX}/reports/`
const OF_SUFFIX = { '/schema': 'schema', '/parameters': 'parameters' } as const

/** For observations. The report is named only if it exists. @param pages paths of the page */
export function nameOf(
  path: string,
  pages: ReadonlyMap<string, unknown>,
  { reports }: Catalog,
): { route: Route; report?: string } {
  if (pages.has(path)) return { route: 'page' }
  if (!path.startsWith(OF_REPORT)) return { route: ROUTES.get(path) ?? 'other' }
  const name = path.slice(OF_REPORT.length)
  const [suffix, route] = Object.entries(OF_SUFFIX).find(([one]) => name.endsWith(one)) ?? [
    '',
    'report' as const,
  ]
  const report = suffix === '' ? reportName(name).code : name.slice(0, -suffix.length)
  return reports.has(report) ? { route, report } : { route }
}

/** The last segment of a path: `profit_loss.csv` is a code and an extension. */
export function reportName(text: string) {
  const extension = REPORT_FORMATS.find(format => text.endsWith(`.${format}`))
  return { code: extension ? text.slice(0, -extension.length - 1) : text, extension }
}
