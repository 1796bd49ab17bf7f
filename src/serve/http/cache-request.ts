/** What routes share that read the cache. */
import type { CacheRequest } from '../cache/cache.ts'
import { createStop } from '../../model/stop.ts'
import type { Stop } from '../../model/stop.ts'
import type { Instant } from '../../model/terms.ts'
import { freshSeconds } from '../report/report-request.ts'
import type { ReportRequest } from '../report/report-request.ts'
import type { Request } from './request.ts'

/** @see https://www.rfc-editor.org/rfc/rfc9111#name-no-cache */
const NO_CACHE = /(?:^|[\s,])no-cache(?:$|[\s,=])/i

export function cacheRequest(
  { headers }: Request,
  reportRequest: ReportRequest,
  stop: Stop,
): CacheRequest {
  const { cacheControl } = headers
  return {
    key: reportRequest.key,
    organizationId: reportRequest.organization.id,
    freshSeconds: freshSeconds(reportRequest),
    staleSeconds: reportRequest.definition.staleSeconds,
    newOnly: cacheControl !== undefined && NO_CACHE.test(cacheControl),
    stop,
  }
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
