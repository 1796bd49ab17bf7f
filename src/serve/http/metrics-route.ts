/** `/metrics`: business figures from several files, each cached as a whole. */
import type { Aliases } from './fast-path/aliases.ts'
import type { Cache } from '../cache/cache.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { parsePeriod, PERIOD_PARAMETERS } from '../../definitions/period.ts'
import { printable, Problem } from '../../model/errors.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { etagOf } from '../report/body.ts'
import { metricsBody } from '../report/load-metrics.ts'
import type { LoadMetrics, MetricValues } from '../report/load-metrics.ts'
import { makeReportRequest } from '../report/report-request.ts'
import type { Clock, Period } from '../../model/terms.ts'
import { sendMemory } from './send-response.ts'
import type { SendOptions } from './send-response.ts'
import { cacheRequest, oldestOf, readTogether, stopOf } from './cache-request.ts'
import { readParameters } from './read-parameters.ts'
import { COMPARE, comparedMetrics, compareParameters, comparisonOf } from './compare-parameter.ts'
import { mergeMetadata } from './response-head.ts'
import { addAlias } from './fast-path/cached-response.ts'
import type { AliasTarget } from './fast-path/cached-response.ts'
import { contentLocation, periodParameters } from './paths.ts'
import { organizationOf } from './active-requests.ts'
import type { ApiMiddleware } from './active-requests.ts'

const CODES = 'codes'
const PARAMETERS = [...PERIOD_PARAMETERS, COMPARE, CODES]

export function metrics(options: {
  readonly cache: Cache
  readonly aliases: Aliases<AliasTarget>
  readonly loadMetrics: LoadMetrics
  readonly sending: SendOptions
  readonly now: Clock
}): ApiMiddleware {
  const { cache, aliases, loadMetrics, sending, now } = options
  return async ctx => {
    const organization = organizationOf(ctx)
    const { catalog, receivedAt } = ctx.state
    const parameters = readParameters(ctx.querystring, PARAMETERS)
    const period = parsePeriod(parameters.values, receivedAt, organization.timeZone)
    const kind = comparisonOf(parameters)
    const codes = parseCodes(parameters.values[CODES] ?? '', catalog)
    const files = [...new Set(codes.map(code => catalog.metrics.get(code)!.file))]
    const plain = files.map(file => makeReportRequest(organization, file, period, receivedAt))
    const both = kind && plain.map(request => comparedMetrics(request, kind))
    const requested = both?.map(one => one.requested) ?? plain
    const requests = [...requested, ...(both?.map(one => one.compared) ?? [])]
    const startedAt = now()
    ctx.state.cache = 'miss'
    const results = await readTogether(ctx, requests, async (request, signal) => {
      const lookup = cacheRequest(ctx, request)
      const load = (aborted: AbortSignal) => loadMetrics(request, stopOf(aborted), ctx.state.origin)
      const cached = await cache.get<MetricValues>({ ...lookup, load, signal })
      return { ...cached, period: request.period }
    })
    ctx.state.timings.push(['cache', now() - startedAt])
    const bytes = metricsBody(
      codes,
      ofPeriod(results.slice(0, files.length)) ?? { period, json: new Map() },
      ofPeriod(results.slice(files.length)),
    )
    const etag = etagOf(bytes)
    const dataAsOf = oldestOf(results.map(({ value }) => value.dataAsOf))
    const representation = {
      contentType: JSON_FORMAT.contentType,
      contentLocation: contentLocation('/metrics', [
        [CODES, codes.join(',')],
        ...periodParameters(period),
        ...compareParameters(kind),
      ]),
      disposition: undefined,
      lifecycle: [],
    }
    const body = { bytes, etag, coding: 'identity' } as const
    addAlias(ctx, aliases, parameters, {
      route: 'metrics',
      report: undefined,
      format: undefined,
      ...representation,
      keys: results.map(({ key }) => key),
      acceptedCoding: 'identity',
      combined: { ...body, dataAsOf, of: results.map(({ value }) => value) },
    })
    const head = {
      ...representation,
      coding: body.coding,
      dataAsOf,
      metadata: mergeMetadata(results),
    }
    await sendMemory(ctx, head, body, sending)
  }
}

/** The values of all files, which are of one period; undefined without files. */
function ofPeriod(
  results: ReadonlyArray<{ readonly period: Period; readonly value: MetricValues }>,
) {
  const [first] = results
  return first && { ...first, json: new Map(results.flatMap(({ value }) => [...value.json])) }
}

/** Requested codes in order, without duplicates; all codes if none is requested. */
function parseCodes(parameter: string, catalog: Catalog): string[] {
  const requested = parameter.split(',').map(code => code.trim())
  const codes = [...new Set(requested.filter(code => code !== ''))]
  if (codes.length === 0) return [...catalog.metrics.keys()]
  const unknown = codes.filter(code => !catalog.metrics.has(code))
  if (unknown.length === 0) return codes
  const list = unknown.map(printable).join(', ')
  throw new Problem('metric_not_found', {
    ru: `Неизвестные показатели: ${list}. Без параметра codes приходят все.`,
    en: `Unknown metrics: ${list}. Without the parameter codes, all are returned.`,
  })
}
