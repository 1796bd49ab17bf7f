/** A report that is compared with another period: two reports from the cache, merged. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Stop } from '../../model/stop.ts'
import type { Cache, Cached } from '../cache/cache.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import type { Body, MemoryBody } from '../report/body.ts'
import { mergeReports } from '../report/merge-reports.ts'
import { withPeriod } from '../report/report-request.ts'
import type { ReportRequest } from '../report/report-request.ts'
import { tooManyBytes } from '../report/too-large.ts'
import { oldestOf, readCache, readTogether } from './cache-request.ts'
import type { BothRequests } from './compare-parameter.ts'
import type { Request } from './request.ts'
import { mergeMetadata } from './response-head.ts'

/** A report from the cache; loaded if it is not there. */
export type ReadReport = (
  reportRequest: ReportRequest<ReportDefinition>,
  stop: Stop,
) => Promise<Cached<Body>>

/**
 * The merged body is cached by the tags of the two, whose age and freshness it has.
 * @throws Problem `result_too_large` also if one of the two is too large to be cached
 */
export async function readCompared(
  request: Request,
  { kind, requested, compared }: BothRequests<ReportDefinition>,
  cache: Cache,
  read: ReadReport,
): Promise<Cached<MemoryBody>> {
  const parts = await readTogether(request, [requested, compared], async (one, stop) => {
    const { value, ...metadata } = await read(withPeriod(one, one.period, JSON_FORMAT), stop)
    if (value.kind === 'memory') return { value, ...metadata }
    throw tooManyBytes()
  })
  const dataAsOf = oldestOf(parts.map(({ value }) => value.dataAsOf))
  const [ours, theirs] = parts.map(({ value }) => value) as [MemoryBody, MemoryBody]
  const key = JSON.stringify([requested.key, kind, ours.etag, theirs.etag, dataAsOf])
  const ofBoth = { ...requested, key, comparison: compared.period }
  const merged = await readCache(cache, request, ofBoth, request.stop, () =>
    mergeReports(ofBoth, kind, ours.bytes, theirs.bytes, dataAsOf),
  )
  return { ...merged, ...mergeMetadata(parts) }
}
