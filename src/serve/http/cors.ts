/** CORS for the exact origins of `CORS_ORIGINS`. @see https://fetch.spec.whatwg.org/#http-cors-protocol */
import type { IncomingMessage } from 'node:http'
import { PREFIX } from '../../model/api-prefix.ts'

/** Headers that a script may read, besides those that it always may. */
const EXPOSED =
  'Accept-Ranges, Age, Cache-Status, Content-Disposition, Content-Location, Content-Range, Data-As-Of, Deprecation, ETag, Link, Retry-After, Sunset, X-Request-Id'

/** Alternating names and values. */
const PREFLIGHT_HEAD = [
  'Access-Control-Allow-Methods',
  'GET, HEAD',
  'Access-Control-Allow-Headers',
  'Authorization, X-Api-Key, X-Request-Id, Cache-Control, If-None-Match, If-Range, Range',
  'Access-Control-Max-Age',
  '7200',
]

export interface Cors {
  /** Alternating names and values, besides `Vary: Origin`; undefined if responses do not depend on the origin. */
  headOf(request: IncomingMessage): readonly string[] | undefined
  /** The head of the response to a preflight of an allowed origin; undefined for other requests. */
  preflightHead(request: IncomingMessage): readonly string[] | undefined
}

export function createCors(origins: readonly string[] | undefined): Cors {
  const allowed = new Set(origins)
  const isAllowed = ({ url, headers: { origin } }: IncomingMessage): boolean =>
    origin !== undefined && allowed.has(origin) && url!.startsWith(`${PREFIX}/`)
  return {
    headOf(request) {
      if (allowed.size === 0) return undefined
      if (!isAllowed(request)) return []
      const { origin = '' } = request.headers
      return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED]
    },
    preflightHead: request =>
      request.method === 'OPTIONS' &&
      request.headers['access-control-request-method'] !== undefined &&
      isAllowed(request)
        ? PREFLIGHT_HEAD
        : undefined,
  }
}
