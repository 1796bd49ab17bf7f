/** The head of a request, read in one pass over its raw headers: target, the headers that matter, size, validity. */
import type { IncomingMessage } from 'node:http'
import { Problem } from '../../model/errors.ts'
import type { Bytes } from '../../model/terms.ts'

export interface RequestHead extends RequestTarget {
  /** Of the target and the headers. */
  readonly bytes: Bytes
  /** A repeated header is one list; a repeated key is empty. */
  readonly headers: RequestHeaders
  /** Why the request is rejected. */
  readonly problem: Problem | undefined
}

interface RequestTarget {
  /** As received, percent-encoded; `*` for the target `*`. */
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

export const HEADERS_TOO_LARGE = new Problem('headers_too_large', {
  ru: `Адрес и заголовки запроса вместе больше ${MAX_HEADER_BYTES} байт, или заголовков больше ${MAX_HEADERS}.`,
  en: `The target and headers of the request exceed ${MAX_HEADER_BYTES} bytes in total, or ${MAX_HEADERS} headers.`,
})

export const NOT_HTTP = new Problem('bad_request', {
  ru: 'Запрос не соответствует HTTP/1.1, или его адрес не является ни путём, ни URL http.',
  en: 'The request is not valid HTTP/1.1, or its target is neither a path nor an http URL.',
})
