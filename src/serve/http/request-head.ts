/** The head of a request: its target as path and query, its size, and what is wrong with it. */
import type { IncomingMessage } from 'node:http'
import type { ParsedUrlQuery } from 'node:querystring'
import type Koa from 'koa'
import type { ProblemCode } from '../../model/errors.ts'
import type { Bytes } from '../../model/terms.ts'

/** Of the request target and the headers: names, values and `HEADER_OVERHEAD_BYTES` for each. */
export const MAX_HEADER_BYTES: Bytes = 16 * 1024

/** Of each header: a colon, a space and the line end. */
export const HEADER_OVERHEAD_BYTES: Bytes = 4

export function headerBytes({ url = '', rawHeaders }: IncomingMessage): Bytes {
  let bytes = url.length
  for (let at = 0; at < rawHeaders.length; at += 2) {
    bytes += rawHeaders[at]!.length + rawHeaders[at + 1]!.length + HEADER_OVERHEAD_BYTES
  }
  return bytes
}

/** What is wrong with the head of a request that Node lets through: its size, its end, its target, or not exactly one `Host`. */
export function headProblem(request: IncomingMessage): ProblemCode | undefined {
  if (headerBytes(request) > MAX_HEADER_BYTES) return 'headers_too_large'
  if (!hasKnownEnd(request.headers['transfer-encoding'])) return 'bad_request'
  const hosts = hostCount(request.rawHeaders)
  const hostIsRight = hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')
  return hostIsRight && parseTarget(request.url ?? '') !== undefined ? undefined : 'bad_request'
}

/** A body that is not chunked last ends nowhere. Node notices once the request has begun, too late for a problem. */
function hasKnownEnd(transferEncoding: string | undefined): boolean {
  if (transferEncoding === undefined) return true
  return transferEncoding.trimEnd().toLowerCase().endsWith('chunked')
}

function hostCount(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

interface RequestTarget {
  /** As it came, percent-encoded; `*` for a target that is an asterisk. */
  readonly path: string
  /** Without the question mark. */
  readonly queryString: string
}

/**
 * In linear time. Undefined where the target is none of: a path, an absolute `http` or `https` URL, an asterisk.
 * @see https://www.rfc-editor.org/rfc/rfc9112#name-request-target
 */
export function parseTarget(target: string): RequestTarget | undefined {
  if (target.startsWith('/')) return pathAndQuery(target)
  if (target === '*') return { path: target, queryString: '' }
  const authority = authorityStart(target)
  if (authority === undefined) return undefined
  let end = authority
  while (end < target.length && !'/?#'.includes(target[end]!)) end += 1
  const authorityLength = end - authority
  if (authorityLength === 0 || authorityLength > MAX_AUTHORITY_LENGTH) return undefined
  if (!URL.canParse(target.slice(0, end))) return undefined
  const { path, queryString } = pathAndQuery(target.slice(end))
  return { path: path === '' ? '/' : path, queryString }
}

/** A host name has at most 253 characters. */
const MAX_AUTHORITY_LENGTH = 512

function authorityStart(target: string): number | undefined {
  return ['http://', 'https://'].find(
    scheme => target.slice(0, scheme.length).toLowerCase() === scheme,
  )?.length
}

function pathAndQuery(text: string): RequestTarget {
  const hash = text.indexOf('#')
  const sent = hash < 0 ? text : text.slice(0, hash)
  const mark = sent.indexOf('?')
  if (mark < 0) return { path: sent, queryString: '' }
  return { path: sent.slice(0, mark), queryString: sent.slice(mark + 1) }
}

/** Percent-decoded; an array where a parameter is repeated. */
function parseQuery(queryString: string): ParsedUrlQuery {
  const query: ParsedUrlQuery = Object.create(null) as ParsedUrlQuery
  for (const [name, value] of new URLSearchParams(queryString)) {
    const before = query[name]
    if (before === undefined) query[name] = value
    else if (typeof before === 'string') query[name] = [before, value]
    else before.push(value)
  }
  return query
}

/**
 * Lets an application read targets with the functions above.
 * why: Koa's `path` throws for some targets and is null for others, and its `query` is quadratic in
 * the number of parameters.
 */
export function readTargets({ request }: Pick<Koa, 'request'>): void {
  Object.defineProperties(request, {
    path: {
      get(this: Koa.Request) {
        return targetOf(this.req).path
      },
    },
    query: {
      get(this: Koa.Request) {
        const value = parseQuery(targetOf(this.req).queryString)
        // why: it is asked for several times
        Object.defineProperty(this, 'query', { value })
        return value
      },
    },
  })
}

const NOWHERE: RequestTarget = { path: '', queryString: '' }

function targetOf({ url = '' }: IncomingMessage): RequestTarget {
  return parseTarget(url) ?? NOWHERE
}
