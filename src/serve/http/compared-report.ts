/** A report that is compared with another period: two reports from the cache, merged. */
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Cache, Cached } from '../cache/cache.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import type { MemoryBody } from '../report/body.ts'
import type { LoadReport } from '../report/load-report.ts'
import { mergeReports } from '../report/merge-reports.ts'
import { withPeriod, type ReportRequest } from '../report/report-request.ts'
import { tooManyBytes } from '../report/too-large.ts'
import { oldestOf, readCache, readTogether } from './cache-request.ts'
import type { Request } from './request.ts'
import { mergeMetadata } from './response-head.ts'

/**
 * The merged body is cached by the tags of the two, whose age and freshness it has.
 * @throws Problem `result_too_large` also if one of the two is too large to be cached
 */
export async function readCompared(
  request: Request,
  compared: ReportRequest<ReportDefinition>,
  cache: Cache,
  load: LoadReport,
): Promise<Cached<MemoryBody>> {
  const { key, period, comparison } = compared
  const parts = await readTogether(request, [period, comparison!], async (of, stop) => {
    const one = withPeriod(compared, of, JSON_FORMAT)
    const { value, ...metadata } = await readCache(cache, request, one, stop, load)
    if (value.kind === 'memory') return { value, ...metadata }
    throw tooManyBytes()
  })
  const [ours, theirs] = parts.map(({ value }) => value) as [MemoryBody, MemoryBody]
  const dataAsOf = oldestOf([ours.dataAsOf, theirs.dataAsOf])
  const ofBoth = JSON.stringify([key, comparison!.kind, ours.etag, theirs.etag, dataAsOf])
  const merge = () => mergeReports(compared, ours.bytes, theirs.bytes, dataAsOf)
  const merged = await readCache(cache, request, { ...compared, key: ofBoth }, request.stop, merge)
  return { ...merged, ...mergeMetadata(parts) }
}
