/** A report that is compared with another period: two reports from the cache, merged. */
import type { Cache, Cached } from '../cache/cache.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Body, MemoryBody } from '../report/body.ts'
import { mergeReports } from '../report/merge-reports.ts'
import { withPeriod } from '../report/report-request.ts'
import type { ReportRequest } from '../report/report-request.ts'
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
  signal: AbortSignal,
) => Promise<Cached<Body>>

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
): Promise<Cached<MemoryBody>> {
  const parts = await readTogether(ctx, [requested, compared], async (request, signal) => {
    const asJson = withPeriod(request, request.period, JSON_FORMAT)
    const { value, ...metadata } = await read(asJson, signal)
    if (value.kind === 'memory') return { value, ...metadata }
    throw tooManyBytes(undefined)
  })
  const dataAsOf = oldestOf(parts.map(({ value }) => value.dataAsOf))
  const [ours, theirs] = parts.map(({ value }) => value)
  const lookup = cacheRequest(ctx, requested)
  const subject = { ...requested, comparison: compared.period, kind, dataAsOf }
  const merged = await cache.get<MemoryBody>({
    ...lookup,
    key: JSON.stringify([lookup.key, kind, ours!.etag, theirs!.etag, dataAsOf]),
    newOnly: false,
    load: () => mergeReports(subject, format, ours!.bytes, theirs!.bytes),
  })
  return { ...merged, ...mergeMetadata(parts) }
}
