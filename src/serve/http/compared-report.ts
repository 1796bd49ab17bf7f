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
  compared: ReportRequest<ReportDefinition>,
  cache: Cache,
  read: ReadReport,
): Promise<Cached<MemoryBody>> {
  const periods = [compared.period, compared.comparison!]
  const parts = await readTogether(request, periods, async (period, stop) => {
    const { value, ...metadata } = await read(withPeriod(compared, period, JSON_FORMAT), stop)
    if (value.kind === 'memory') return { value, ...metadata }
    throw tooManyBytes()
  })
  const dataAsOf = oldestOf(parts.map(({ value }) => value.dataAsOf))
  const [ours, theirs] = parts.map(({ value }) => value) as [MemoryBody, MemoryBody]
  const { kind } = compared.comparison!
  const key = JSON.stringify([compared.key, kind, ours.etag, theirs.etag, dataAsOf])
  const merged = await readCache(cache, request, { ...compared, key }, request.stop, () =>
    mergeReports(compared, ours.bytes, theirs.bytes, dataAsOf),
  )
  return { ...merged, ...mergeMetadata(parts) }
}
