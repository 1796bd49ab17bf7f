/** CORS for the exact origins of `CORS_ORIGINS`. @see https://fetch.spec.whatwg.org/#http-cors-protocol */
import { PREFIX } from '../../model/api-prefix.ts'
import type { RequestHead, RequestHeaders } from './request-head.ts'

/** Headers that a script may read, besides those that it always may. */
const EXPOSED =
  'Accept-Ranges, Age, Cache-Status, Content-Disposition, Content-Location, Content-Range, Data-As-Of, Deprecation, ETag, Link, Retry-After, Sunset, X-Request-Id'
/** Headers that a script may send. */
const ALLOWED =
  'Authorization, X-Api-Key, X-Request-Id, Cache-Control, If-Match, If-None-Match, If-Range, Range'
const OF_PREFLIGHT = ['Access-Control-Allow-Headers', ALLOWED, 'Access-Control-Max-Age', '7200']

export function isPreflight(method: string | undefined, headers: RequestHeaders): boolean {
  return method === 'OPTIONS' && headers.requestedMethod !== undefined
}

/** @returns alternating names and values, none for other origins */
export function createCorsHead(origins: readonly string[]) {
  return (method: string | undefined, head: RequestHead): readonly string[] => {
    const { origin } = head.headers
    if (origin === undefined || !origins.includes(origin)) return []
    if (!head.path.startsWith(`${PREFIX}/`)) return []
    const list = ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED]
    return isPreflight(method, head.headers) ? [...list, ...OF_PREFLIGHT] : list
  }
}
