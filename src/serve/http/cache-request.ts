/** The part of a cache request that all routes share. */
import type { Cacheable, CacheRequest } from '../cache/cache.ts'
import { cacheKey, freshSeconds } from '../body/report-request.ts'
import type { ReportRequest } from '../body/report-request.ts'
import { organizationOf } from './active-requests.ts'
import type { ApiContext } from './active-requests.ts'

/**
 * A cache request without its load.
 * @param format of the body, `metrics` for metrics
 */
export function cacheRequest(
  ctx: ApiContext,
  request: ReportRequest,
  format: string,
): Omit<CacheRequest<Cacheable>, 'load'> {
  return {
    key: cacheKey(request, format),
    organizationId: organizationOf(ctx).id,
    freshSeconds: freshSeconds(request),
    staleSeconds: request.definition.staleSeconds,
    newOnly: requestsNew(ctx),
    signal: ctx.state.signal,
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc9111#name-no-cache */
function requestsNew(ctx: ApiContext): boolean {
  return /(?:^|[\s,])no-cache(?:$|[\s,=])/i.test(ctx.get('Cache-Control'))
}
