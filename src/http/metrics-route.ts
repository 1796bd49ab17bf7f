/** `/metrics`: business figures picked from the files that hold them, each file cached as a whole. */
import type { CacheAnswer, ReportCache } from '../cache/report-cache.ts'
import type { Catalog, MetricsDefinition } from '../definitions/definition.ts'
import { parsePeriod } from '../definitions/period.ts'
import { printable, Problem } from '../errors.ts'
import { JSON_FORMAT } from '../formats/json.ts'
import { etagOf } from '../reports/body.ts'
import { metricsBody } from '../reports/metrics-body.ts'
import type { MetricValues, ReadMetrics } from '../reports/read-metrics.ts'
import { makeReportRequest } from '../reports/report-request.ts'
import type { Clock, Instant } from '../terms.ts'
import { mergeNews, sendWhole } from './answer.ts'
import { cacheRequest } from './cache-request.ts'
import { contentLocation, periodParameters } from './paths.ts'
import { organizationOf } from './request-state.ts'
import type { ApiMiddleware } from './request-state.ts'

export function metrics(options: {
  readonly cache: ReportCache
  readonly readMetrics: ReadMetrics
  readonly now: Clock
}): ApiMiddleware {
  const { cache, readMetrics, now } = options
  return async ctx => {
    const organization = organizationOf(ctx)
    const { catalog } = ctx.state
    const period = parsePeriod(ctx.query, now(), organization.timeZone)
    const codes = parseCodes(ctx.query['codes'], catalog)
    const files = [...new Set(codes.map(code => catalog.metrics.get(code)!.file))]
    const startedAt = now()
    ctx.state.cache = 'miss'
    const answers = await Promise.all(files.map(file => read(file)))
    ctx.state.timings.push(['cache', now() - startedAt])

    function read(file: MetricsDefinition): Promise<CacheAnswer<MetricValues>> {
      const request = makeReportRequest(organization, file, period, now)
      return cache.get({
        ...cacheRequest(ctx, request, 'metrics'),
        load: signal => readMetrics(request, signal),
      })
    }

    const json = new Map(answers.flatMap(({ value }) => [...value.json]))
    const bytes = metricsBody(codes, json)
    const head = {
      contentType: JSON_FORMAT.contentType,
      contentLocation: contentLocation('/metrics', [
        ['codes', codes.join(',')],
        ...periodParameters(period),
      ]),
      dataAsOf: oldest(answers.map(({ value }) => value.dataAsOf)),
      news: mergeNews(answers),
    }
    sendWhole(ctx, head, bytes, etagOf(bytes))
  }
}

/** In the order asked, each once; none asked is all. */
function parseCodes(parameter: string | string[] | undefined, catalog: Catalog): string[] {
  const asked = [parameter ?? []].flat().join(',').split(',')
  const codes = [...new Set(asked.map(code => code.trim()).filter(code => code !== ''))]
  if (codes.length === 0) return [...catalog.metrics.keys()]
  const unknown = codes.filter(code => !catalog.metrics.has(code))
  if (unknown.length === 0) return codes
  const list = unknown.map(printable).join(', ')
  throw new Problem('metric_not_found', {
    ru: `Неизвестные показатели: ${list}. Без параметра codes приходят все.`,
    en: `Unknown metrics: ${list}. Without the parameter codes all are answered.`,
  })
}

/** Unknown if any is unknown. */
function oldest(instants: ReadonlyArray<Instant | undefined>): Instant | undefined {
  return instants.reduce((a, b) => (a === undefined || b === undefined ? undefined : a < b ? a : b))
}
