/** `/metrics`: business figures from several files, each cached as a whole. */
import { printable, Problem } from '../../model/errors.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { parsePeriod } from '../../definitions/period.ts'
import { PREFIX, type Organization } from '../../model/terms.ts'
import type { Cached } from '../cache/entry.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { etagOf } from '../report/body.ts'
import { metricsBody, type MetricValues } from '../report/load-metrics.ts'
import { makeReportRequest, withComparison, withPeriod } from '../report/report-request.ts'
import { oldestOf } from './combined-reports.ts'
import { canonicalQuery, readParameters } from './negotiation.ts'
import { requireRead, type Request } from './request.ts'
import { mergeMetadata, representationHead, type Response } from './response.ts'

const PARAMETERS = ['from', 'to', 'compare', 'codes'] as const
/** In a request. */
const MAX_CODES = 50
/** In a message. */
const MAX_NAMED_CODES = 5

type AskedMetrics = ReturnType<typeof readMetricsQuery>

/** @throws Problem */
export function readMetricsQuery(request: Request, organization: Organization) {
  requireRead(request)
  const { catalog, receivedAt } = request
  const { values, hasIgnored } = readParameters(request.queryString, PARAMETERS)
  const { compare } = values
  const period = parsePeriod(values, receivedAt, organization.timeZone)
  const codes = parseCodes(values.codes ?? '', catalog)
  const files = [...new Set(codes.map(code => catalog.metrics.get(code)!.file))]
  const plain = files.map(file => makeReportRequest(organization, file, period, receivedAt))
  const reports = compare ? plain.map(one => withComparison(one, compare)) : plain
  const query = canonicalQuery(period, { compare })
  return {
    /** One for each file, all of one period. */
    reports,
    compared: compare ? reports.map(one => withPeriod(one, one.comparison!)) : [],
    period: reports[0]?.period ?? period,
    metrics: codes.map(code => catalog.metrics.get(code)!.metric),
    location: `${PREFIX}/metrics?codes=${encodeURIComponent(codes.join(','))}&${query}`,
    hasIgnored,
  }
}

/** @param results of the reports, and then of the compared ones */
export function metricsResponse(
  { reports, compared, period, metrics, location, hasIgnored }: AskedMetrics,
  results: ReadonlyArray<Cached<MetricValues>>,
): Response {
  const body = metricsBody(
    metrics,
    { period, values: valuesOf(results.slice(0, reports.length)) },
    compared[0] && { period: compared[0].period, values: valuesOf(results.slice(reports.length)) },
  )
  const etag = etagOf(body)
  const dataAsOf = oldestOf(results.map(({ value }) => value.dataAsOf))
  return {
    contentType: JSON_FORMAT.contentType,
    head: representationHead(location, dataAsOf, etag, 'identity'),
    etag,
    body,
    metadata: mergeMetadata(results),
    // why: an ignored parameter may contain a key
    cached: hasIgnored ? [] : results,
  }
}

/** The values of all files, which are of one period. */
function valuesOf(results: ReadonlyArray<{ readonly value: MetricValues }>) {
  return new Map(results.flatMap(({ value }) => [...value.values]))
}

/** Requested codes in order, without duplicates; all codes if none is requested. */
function parseCodes(parameter: string, catalog: Catalog): string[] {
  const codes = new Set<string>()
  for (const entry of parameter.split(',')) {
    const code = entry.trim()
    if (code !== '') codes.add(code)
    if (codes.size > MAX_CODES) throw TOO_MANY_CODES
  }
  if (codes.size === 0) return [...catalog.metrics.keys()]
  const unknown = [...codes].filter(code => !catalog.metrics.has(code))
  if (unknown.length === 0) return [...codes]
  const list = unknown.slice(0, MAX_NAMED_CODES).map(printable).join(', ')
  const rest = unknown.length - MAX_NAMED_CODES
  throw new Problem('metric_not_found', {
    ru: `Неизвестные показатели: ${list}${rest > 0 ? ` и ещё ${rest}` : ''}. Без параметра codes приходят все.`,
    en: `Unknown metrics: ${list}${rest > 0 ? ` and ${rest} more` : ''}. Without the parameter codes, all are returned.`,
  })
}

const TOO_MANY_CODES = new Problem('bad_request', {
  ru: `В codes больше ${MAX_CODES} показателей. Без параметра codes приходят все.`,
  en: `codes names more than ${MAX_CODES} metrics. Without the parameter codes, all are returned.`,
})
