/** The request target of HTTP/1.1 as path and query, in linear time. @see https://www.rfc-editor.org/rfc/rfc9112#name-request-target */
import type { IncomingMessage } from 'node:http'
import type { ParsedUrlQuery } from 'node:querystring'
import type Koa from 'koa'

export interface RequestTarget {
  /** As it came, percent-encoded; `*` for a target that is an asterisk. */
  readonly path: string
  /** Without the question mark. */
  readonly queryString: string
}

/** Undefined where the target is none of: a path, an absolute `http` or `https` URL, an asterisk. */
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
export function parseQuery(queryString: string): ParsedUrlQuery {
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
  const queries = new WeakMap<IncomingMessage, ParsedUrlQuery>()
  Object.defineProperties(request, {
    path: {
      get(this: Koa.Request) {
        return targetOf(this.req).path
      },
    },
    query: {
      get(this: Koa.Request) {
        const query = queries.get(this.req) ?? parseQuery(targetOf(this.req).queryString)
        queries.set(this.req, query)
        return query
      },
    },
  })
}

const NOWHERE: RequestTarget = { path: '', queryString: '' }

function targetOf({ url = '' }: IncomingMessage): RequestTarget {
  return parseTarget(url) ?? NOWHERE
}
