/** What both routes ask of the cache alike. */
import type { CacheRequest } from '../cache/answers.ts'
import { cacheKey, freshSeconds } from '../body/report-request.ts'
import type { ReportRequest } from '../body/report-request.ts'
import type { ApiContext } from './request-state.ts'

/** All of a cache request but how to load the answer. */
export function cacheRequest(
  ctx: ApiContext,
  request: ReportRequest,
  format: string,
): Omit<CacheRequest<never>, 'load'> {
  return {
    key: cacheKey(request, format),
    organizationId: request.organization.id,
    freshSeconds: freshSeconds(request),
    staleSeconds: request.definition.staleSeconds,
    newOnly: asksForNew(ctx),
    signal: ctx.state.signal,
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc9111#name-no-cache */
function asksForNew(ctx: ApiContext): boolean {
  return /(?:^|[\s,])no-cache(?:$|[\s,=])/i.test(ctx.get('Cache-Control'))
}
