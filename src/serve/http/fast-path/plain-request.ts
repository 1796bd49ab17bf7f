/**
 * Parses a plain request: a GET or HEAD with no repeated and no unusual header, in one pass over the raw headers.
 * Other requests are served by Koa. Knows neither Koa nor the cache.
 */
import type { IncomingMessage } from 'node:http'
import { presentedKey } from '../../access/api-key.ts'
import type { PresentedKey } from '../../access/api-key.ts'
import { PREFIX } from '../../../model/api-prefix.ts'

/** Contains the hash of the key, never the key. */
export interface PlainRequest {
  readonly method: 'GET' | 'HEAD'
  /** Path and query, as received. */
  readonly target: string
  readonly key: PresentedKey
  readonly ifNoneMatch: string | undefined
  readonly accept: string | undefined
  readonly acceptEncoding: string | undefined
}

type HeaderField =
  | Exclude<keyof PlainRequest, 'method' | 'target' | 'key'>
  | 'authorization'
  | 'apiKey'

const HEADER_FIELDS: ReadonlyMap<string, HeaderField | 'unusual'> = new Map([
  ['authorization', 'authorization'],
  ['x-api-key', 'apiKey'],
  ['if-none-match', 'ifNoneMatch'],
  ['accept', 'accept'],
  ['accept-encoding', 'acceptEncoding'],
  // why: these request something other than the cached response, or announce a body
  ['cache-control', 'unusual'],
  ['range', 'unusual'],
  ['content-length', 'unusual'],
  ['transfer-encoding', 'unusual'],
  ['expect', 'unusual'],
  ['upgrade', 'unusual'],
])

const UNDER_PREFIX = `${PREFIX}/`

/** Undefined if the request is not plain. */
export function plainRequest(request: IncomingMessage): PlainRequest | undefined {
  const { method, url: target = '', rawHeaders } = request
  if ((method !== 'GET' && method !== 'HEAD') || !target.startsWith(UNDER_PREFIX)) return undefined
  if (request.httpVersionMinor !== 1) return undefined
  const headers: Record<HeaderField, string | undefined> = {
    authorization: undefined,
    apiKey: undefined,
    ifNoneMatch: undefined,
    accept: undefined,
    acceptEncoding: undefined,
  }
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const field = HEADER_FIELDS.get(rawHeaders[at]!.toLowerCase())
    if (field === undefined) continue
    if (field === 'unusual' || headers[field] !== undefined) return undefined
    headers[field] = rawHeaders[at + 1]!
  }
  const { authorization, apiKey, ifNoneMatch, accept, acceptEncoding } = headers
  const key = presentedKey(authorization, apiKey)
  return { method, target, key, ifNoneMatch, accept, acceptEncoding }
}
