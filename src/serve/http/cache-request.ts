/** What routes share that read the cache. */
import type { Cache } from '../cache/cache.ts'
import type { Cacheable, Cached, Entry } from '../cache/entry.ts'
import { PROBLEMS } from '../../model/errors.ts'
import type { RequestOrigin } from '../../model/observation.ts'
import { createStop } from '../../model/stop.ts'
import type { Stop } from '../../model/stop.ts'
import type { Instant, Seconds } from '../../model/terms.ts'
import { freshSecondsOf, keysOfOtherFormats } from '../report/report-request.ts'
import type { ReportRequest } from '../report/report-request.ts'
import type { Request } from './request.ts'

/** @see https://www.rfc-editor.org/rfc/rfc9111#name-request-directives */
const NO_CACHE = /(?:^|[\s,])no-cache(?:$|[\s,=])/i
const MAX_AGE = /(?:^|[\s,])max-age="?(\d+)/i

/** The oldest response that a client accepts; 0 for one that is newer than its request. */
function maxAgeOf(cacheControl = ''): Seconds {
  if (NO_CACHE.test(cacheControl)) return 0
  return Number(MAX_AGE.exec(cacheControl)?.[1] ?? Infinity)
}

/** The value of a report from the cache. @throws as `Cache.get` */
export async function readCache<R extends ReportRequest, V extends Cacheable>(
  cache: Cache,
  request: Request,
  reportRequest: R,
  stop: Stop,
  load: (reportRequest: R, stop: Stop, origin: RequestOrigin) => Promise<V>,
): Promise<Cached<V>> {
  const freshSeconds = freshSecondsOf(reportRequest)
  const maxAgeSeconds = maxAgeOf(request.headers.cacheControl)
  const otherKeys = (): string[] => keysOfOtherFormats(reportRequest)
  const ofReport = { freshSeconds, maxAgeSeconds, otherKeys, stop, ...reportRequest }
  const cached = await cache.get(ofReport, ofLoad => load(reportRequest, ofLoad, request.origin))
  const { entry, stored } = cached
  if (entry.isOwed || stored) (request.atEnd ??= []).push(() => settle(entry, request))
  return cached
}

/** A value is delivered with the response, or owed to a client that is sent away. */
function settle(entry: Entry, { fact: { aborted, method, problem } }: Request): void {
  if (aborted || method === 'HEAD') return
  if (problem === undefined || PROBLEMS[problem].status === 503)
    entry.isOwed = problem !== undefined
}

/** Reads the parts of one response. If one fails, the others are stopped. */
export async function readTogether<T, R>(
  { stop }: Request,
  parts: readonly T[],
  read: (part: T, stop: Stop) => Promise<R>,
): Promise<R[]> {
  const ofParts = createStop()
  stop.onStop(reason => ofParts.stop(reason))
  try {
    return await Promise.all(parts.map(part => read(part, ofParts)))
  } catch (error) {
    ofParts.stop(new Error('another execution of the same request failed'))
    throw error
  }
}

/** Undefined if any instant is unknown. */
export function oldestOf([first, ...rest]: ReadonlyArray<Instant | undefined>):
  | Instant
  | undefined {
  return rest.reduce((a, b) => (a === undefined || (b !== undefined && a < b) ? a : b), first)
}
