/** A report that is compared with another period: two reports from the cache, merged. */
import type { Cache, Cached } from '../cache/cache.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { ReportBody } from '../report/load-report.ts'
import { mergeReports } from '../report/merge-reports.ts'
import type { ReportRequest } from '../report/report-request.ts'
import type { StreamedBody } from '../report/streamed-body.ts'
import { tooManyBytes } from '../report/too-large.ts'
import type { Format } from '../formats/format.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import type { ApiContext } from './active-requests.ts'
import { cacheRequest, oldestOf, readTogether } from './cache-request.ts'
import type { BothRequests } from './compare-parameter.ts'
import { mergeMetadata } from './response-head.ts'

/** A report from the cache; loaded if it is not there. */
export type ReadReport = (
  request: ReportRequest<ReportDefinition>,
  format: Format,
  signal: AbortSignal,
) => Promise<Cached<ReportBody | StreamedBody>>

/**
 * The merged body is cached by the tags of the two, whose age and freshness it has.
 * @throws Problem `result_too_large` also if one of the two is too large to be cached
 */
export async function readCompared(
  ctx: ApiContext,
  { kind, requested, compared }: BothRequests<ReportDefinition>,
  format: Format,
  cache: Cache,
  read: ReadReport,
): Promise<Cached<ReportBody>> {
  const parts = await readTogether(ctx, [requested, compared], async (request, signal) => {
    const { value, ...metadata } = await read(request, JSON_FORMAT, signal)
    if (value.kind === 'whole') return { value, ...metadata }
    value.cancel()
    throw tooManyBytes(undefined)
  })
  const dataAsOf = oldestOf(parts.map(({ value }) => value.dataAsOf))
  const [ours, theirs] = parts.map(({ value }) => value.identity)
  const lookup = cacheRequest(ctx, requested, format.name)
  const subject = { ...requested, comparison: compared.period, kind, dataAsOf }
  const merged = await cache.get<ReportBody>({
    ...lookup,
    key: JSON.stringify([lookup.key, kind, ours!.etag, theirs!.etag, dataAsOf]),
    newOnly: false,
    load: () => mergeReports(subject, format, ours!.bytes, theirs!.bytes),
  })
  return { ...merged, ...mergeMetadata(parts) }
}
