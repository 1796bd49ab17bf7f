/** The head of a request: target, path and query, size, validation. */
import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import type { ProblemCode } from '../../model/errors.ts'
import type { Bytes } from '../../model/terms.ts'

/** Limit for the target and the headers: names, values and `HEADER_OVERHEAD_BYTES` for each. */
export const MAX_HEADER_BYTES: Bytes = 16 * 1024

/** Colon, space and line end of a header. */
export const HEADER_OVERHEAD_BYTES: Bytes = 4

export function headerBytes({ url = '', rawHeaders }: IncomingMessage): Bytes {
  let bytes = url.length
  for (let at = 0; at < rawHeaders.length; at += 2) {
    bytes += rawHeaders[at]!.length + rawHeaders[at + 1]!.length + HEADER_OVERHEAD_BYTES
  }
  return bytes
}

/** Checks that Node omits: size, body length, target, exactly one `Host`. @returns undefined if the head is valid */
export function headProblem(request: IncomingMessage): ProblemCode | undefined {
  if (headerBytes(request) > MAX_HEADER_BYTES) return 'headers_too_large'
  if (!hasKnownEnd(request.headers['transfer-encoding'])) return 'bad_request'
  const hosts = hostCount(request.rawHeaders)
  const isHostValid = hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')
  return isHostValid && parseTarget(request.url ?? '') !== undefined ? undefined : 'bad_request'
}

/** The end of a body is unknown unless `chunked` is the last coding. Node checks it too late for a problem. */
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
  /** As received, percent-encoded; `*` for the target `*`. */
  readonly path: string
  /** Without the question mark. */
  readonly queryString: string
}

/**
 * In linear time. Undefined unless the target is a path, an absolute `http` or `https` URL, or `*`.
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
  const withoutFragment = hash < 0 ? text : text.slice(0, hash)
  const mark = withoutFragment.indexOf('?')
  if (mark < 0) return { path: withoutFragment, queryString: '' }
  return { path: withoutFragment.slice(0, mark), queryString: withoutFragment.slice(mark + 1) }
}

/**
 * Replaces Koa's `path` and `querystring` with those of `parseTarget`.
 * why: Koa's `path` throws for some targets and is null for others.
 */
export function readTargets({ request }: Pick<Koa, 'request'>): void {
  Object.defineProperties(request, {
    path: {
      get(this: Koa.Request) {
        return targetOf(this.req).path
      },
    },
    querystring: {
      get(this: Koa.Request) {
        return targetOf(this.req).queryString
      },
    },
  })
}

const INVALID_TARGET: RequestTarget = { path: '', queryString: '' }

function targetOf({ url = '' }: IncomingMessage): RequestTarget {
  return parseTarget(url) ?? INVALID_TARGET
}
