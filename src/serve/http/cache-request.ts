/** What routes share that read the cache. */
import type { Cache } from '../cache/cache.ts'
import type { Cacheable, Cached, CacheRequest } from '../cache/entry.ts'
import { PROBLEMS } from '../../model/errors.ts'
import type { RequestOrigin } from '../../model/observation.ts'
import { createStop, type Stop } from '../../model/stop.ts'
import type { Instant, Seconds } from '../../model/terms.ts'
import { freshSecondsOf, keysOfOtherFormats, type ReportRequest } from '../report/report-request.ts'
import type { Exchange, Request } from './request.ts'

/** @see https://www.rfc-editor.org/rfc/rfc9111#name-request-directives */
const NO_CACHE = /(?:^|[\s,])no-cache(?:$|[\s,=])/i
const MAX_AGE = /(?:^|[\s,])max-age="?(\d+)/i

/** The oldest response that a client accepts; 0 for one that is newer than its request. */
function maxAgeOf(cacheControl = ''): Seconds {
  if (NO_CACHE.test(cacheControl)) return 0
  return Number(MAX_AGE.exec(cacheControl)?.[1] ?? Infinity)
}

export function cacheRequest(
  { headers, stop }: Request,
  report: ReportRequest,
  stopOfPart = stop,
): CacheRequest {
  const freshSeconds = freshSecondsOf(report)
  const maxAgeSeconds = maxAgeOf(headers.cacheControl)
  const otherKeys = (): string[] => keysOfOtherFormats(report)
  return { freshSeconds, maxAgeSeconds, otherKeys, stop: stopOfPart, ...report }
}

/** At the end of the request, the value is delivered with the response, or owed to a client that is sent away. */
export function settleAtEnd<V>({ endings }: Exchange, cached: Cached<V>): Cached<V> {
  const { entry, stored } = cached
  if (entry.isOwed || stored)
    endings.push(({ aborted, method, problem }) => {
      if (aborted || method === 'HEAD') return
      if (problem === undefined || PROBLEMS[problem].status === 503)
        entry.isOwed = problem !== undefined
    })
  return cached
}

/** The value of a report from the cache. @throws as `Cache.get` */
export async function readCache<R extends ReportRequest, V extends Cacheable>(
  cache: Cache,
  exchange: Exchange,
  report: R,
  load: (report: R, stop: Stop, origin: RequestOrigin) => Promise<V>,
  stop = exchange.request.stop,
): Promise<Cached<V>> {
  const { request } = exchange
  const loadIt = (stop: Stop): Promise<V> => load(report, stop, request.origin)
  return settleAtEnd(exchange, await cache.get(cacheRequest(request, report, stop), loadIt))
}

/** As well, of all parts of one response. If one fails, the others are stopped. */
export async function readTogether<R extends ReportRequest, V extends Cacheable>(
  cache: Cache,
  exchange: Exchange,
  parts: readonly R[],
  load: (report: R, stop: Stop, origin: RequestOrigin) => Promise<V>,
): Promise<Array<Cached<V>>> {
  const stop = createStop()
  exchange.request.stop.onStop(reason => stop.stop(reason))
  try {
    return await Promise.all(parts.map(part => readCache(cache, exchange, part, load, stop)))
  } catch (error) {
    stop.stop(new Error('another execution of the same request failed'))
    throw error
  }
}

/** Undefined if any instant is unknown. */
export function oldestOf([first, ...rest]: ReadonlyArray<Instant | undefined>):
  | Instant
  | undefined {
  return rest.reduce((a, b) => (a === undefined || (b !== undefined && a < b) ? a : b), first)
}
