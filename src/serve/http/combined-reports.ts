/** Responses from several cached values: of the files of `/metrics`, or of the two periods that `compare` compares. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { RequestOrigin } from '../../model/observation.ts'
import { createStop, type Stop } from '../../model/stop.ts'
import type { Bytes, Instant } from '../../model/terms.ts'
import type { Cache } from '../cache/cache.ts'
import type { Cacheable, Cached } from '../cache/entry.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { createMemoryBody, tooMuchBuffered, tooManyBytes } from '../report/body.ts'
import type { MemoryBody, OutgoingBodies } from '../report/body.ts'
import type { ChoiceList } from '../report/load-choices.ts'
import type { MetricValues } from '../report/load-metrics.ts'
import type { LoadReport } from '../report/load-report.ts'
import { mergeReports } from '../report/merge-reports.ts'
import { withPeriod, type ReportRequest } from '../report/report-request.ts'
import { createTurns } from '../report/turns.ts'
import type { Exchange } from './active-requests.ts'
import { representationFor } from './conditional-request.ts'
import { cacheRequest, settleAtEnd } from './report-route.ts'
import type { Request } from './request.ts'
import { mergeMetadata, representationHead, type Response } from './response.ts'

async function readCache<R extends ReportRequest, V extends Cacheable>(
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

/** The values of all parts of one response. If one fails, the others are stopped. @throws as `Cache.get` */
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

/**
 * The response with a JSON body that was made from these values.
 * @param location of the same, as `Content-Location`
 * @param isLasting false if an equal request may have another response
 */
export async function combinedResponse(
  request: Request,
  json: Buffer,
  location: string,
  results: ReadonlyArray<Cached<MetricValues | ChoiceList>>,
  isLasting: boolean,
): Promise<Response> {
  const { bytes, etag, coding } = await representationFor(request, createMemoryBody(json))
  const dataAsOf = oldestOf(results.map(({ value }) => value.dataAsOf))
  return {
    contentType: JSON_FORMAT.contentType,
    head: representationHead(location, dataAsOf, etag, coding),
    etag,
    body: bytes,
    metadata: mergeMetadata(results),
    cached: isLasting ? results : [],
  }
}

/** Undefined if any instant is unknown. */
function oldestOf([first, ...rest]: ReadonlyArray<Instant | undefined>): Instant | undefined {
  return rest.reduce((a, b) => (a === undefined || (b !== undefined && a < b) ? a : b), first)
}

/** why: a merge has the values of both bodies in memory: 40 to 50 MiB for two of 7 MB */
const mergeTurns = createTurns(1)
/** Two bodies of at most this size together are merged at once. why: large comparisons would delay them */
const SMALL_BYTES: Bytes = 128 * 1024

/**
 * The merged body is cached by the tags of the two, whose age and freshness it has.
 * @throws Problem `overloaded` if too many bytes wait to be merged; `result_too_large` also if one of the two is too
 *   large to be cached
 */
export async function readCompared(
  exchange: Exchange,
  compared: ReportRequest<ReportDefinition>,
  cache: Cache,
  load: LoadReport,
  outgoingBodies: OutgoingBodies,
): Promise<Cached<MemoryBody>> {
  const { key, period, comparison } = compared
  const reports = [period, comparison!].map(one => withPeriod(compared, one, JSON_FORMAT))
  const parts = await readTogether(cache, exchange, reports, load)
  if (parts.some(({ value }) => value.kind === 'file')) throw tooManyBytes()
  const [ours, theirs] = parts.map(({ value }) => value) as [MemoryBody, MemoryBody]
  const dataAsOf = oldestOf([ours.dataAsOf, theirs.dataAsOf])
  const ofBoth = JSON.stringify([key, comparison!.kind, ours.etag, theirs.etag, dataAsOf])
  const merge = async (_: unknown, stop: Stop): Promise<MemoryBody> => {
    const bodies = [ours.bytes, theirs.bytes] as const
    const mergeThem = () => mergeReports(compared, ...bodies, dataAsOf, stop)
    if (ours.byteCount + theirs.byteCount <= SMALL_BYTES) return mergeThem()
    const { id } = compared.organization
    if (!bodies.every(bytes => outgoingBodies.fits(id, bytes))) throw tooMuchBuffered()
    const ends = bodies.map(bytes => outgoingBodies.begin(id, bytes))
    return mergeTurns.during(mergeThem, stop).finally(() => ends.forEach(end => end()))
  }
  const merged = await readCache(cache, exchange, { ...compared, key: ofBoth }, merge)
  return { ...merged, ...mergeMetadata(parts) }
}
