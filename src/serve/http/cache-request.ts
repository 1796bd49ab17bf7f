/** What routes share that read the cache. */
import type { Cacheable, CacheRequest } from '../cache/cache.ts'
import { freshSeconds } from '../report/report-request.ts'
import type { ReportRequest } from '../report/report-request.ts'
import { createStop, type Stop } from '../../model/stop.ts'
import type { Instant } from '../../model/terms.ts'
import { organizationOf } from './active-requests.ts'
import type { ApiContext } from './active-requests.ts'

/** A cache request without its load. */
export function cacheRequest(
  ctx: ApiContext,
  request: ReportRequest,
): Omit<CacheRequest<Cacheable>, 'load'> {
  return {
    key: request.key,
    organizationId: organizationOf(ctx).id,
    freshSeconds: freshSeconds(request),
    staleSeconds: request.definition.staleSeconds,
    newOnly: requestsNew(ctx),
    signal: ctx.state.signal,
  }
}

/** Reads the parts of one response. If one fails, the others are aborted. */
export async function readTogether<T, R>(
  { state }: ApiContext,
  parts: readonly T[],
  read: (part: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const others = new AbortController()
  const signal = AbortSignal.any([state.signal, others.signal])
  try {
    return await Promise.all(parts.map(part => read(part, signal)))
  } catch (error) {
    others.abort(new Error('another execution of the same request failed'))
    throw error
  }
}

/** Stops when the signal aborts. */
export function stopOf(signal: AbortSignal): Stop {
  const stop = createStop()
  const abort = (): void => stop.stop(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return stop
}

/** Undefined if any instant is unknown. */
export function oldestOf([first, ...rest]: ReadonlyArray<Instant | undefined>):
  | Instant
  | undefined {
  return rest.reduce((a, b) => (a === undefined || (b !== undefined && a < b) ? a : b), first)
}

/** @see https://www.rfc-editor.org/rfc/rfc9111#name-no-cache */
function requestsNew(ctx: ApiContext): boolean {
  return /(?:^|[\s,])no-cache(?:$|[\s,=])/i.test(ctx.get('Cache-Control'))
}
