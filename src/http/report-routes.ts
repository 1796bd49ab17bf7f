/** `/reports` and `/reports/:code`. */
import type { ReportCache } from '../cache/report-cache.ts'
import type { Catalog, ReportDefinition } from '../definitions/definition.ts'
import { parsePeriod } from '../definitions/period.ts'
import { printable, Problem } from '../errors.ts'
import { JSON_FORMAT } from '../formats/json.ts'
import { etagOf } from '../reports/body.ts'
import type { ReadReport } from '../reports/read-report.ts'
import { makeReportRequest } from '../reports/report-request.ts'
import type { Clock, Milliseconds } from '../terms.ts'
import { sendBytes, sendStream, sendWhole } from './answer.ts'
import { cacheRequest } from './cache-request.ts'
import { contentLocation, periodParameters, PREFIX } from './paths.ts'
import { organizationOf } from './request-state.ts'
import type { ApiContext, ApiMiddleware } from './request-state.ts'

export function listReports(): ApiMiddleware {
  const lists = new WeakMap<Catalog, { readonly bytes: Buffer; readonly etag: string }>()
  return ctx => {
    const { catalog } = ctx.state
    const { bytes, etag } = lists.get(catalog) ?? listOf(catalog)
    lists.set(catalog, { bytes, etag })
    sendBytes(ctx, JSON_FORMAT.contentType, bytes, etag)
  }
}

function listOf(catalog: Catalog): { readonly bytes: Buffer; readonly etag: string } {
  const reports = [...catalog.reports.values()].map(({ code, title, group }) => ({
    code,
    title,
    group,
  }))
  const bytes = Buffer.from(`${JSON.stringify({ reports })}\n`)
  return { bytes, etag: etagOf(bytes) }
}

/** Comes before the check of the method: a report that does not exist is 404 whatever is done to it. */
export const findReport: ApiMiddleware = async (ctx, next) => {
  reportOf(ctx)
  await next()
}

function reportOf(ctx: ApiContext): ReportDefinition {
  const code = (ctx as unknown as { params: { code: string } }).params.code
  const definition = ctx.state.catalog.reports.get(code)
  if (definition) return definition
  throw new Problem('report_not_found', {
    ru: `Отчёта с кодом «${printable(code)}» нет. Список отчётов: ${PREFIX}/reports.`,
    en: `No report has the code "${printable(code)}". The list of reports: ${PREFIX}/reports.`,
  })
}

export function report(options: {
  readonly cache: ReportCache
  readonly readReport: ReadReport
  readonly stallTimeoutMs: Milliseconds
  readonly now: Clock
}): ApiMiddleware {
  const { cache, readReport, stallTimeoutMs, now } = options
  return async ctx => {
    const organization = organizationOf(ctx)
    const definition = reportOf(ctx)
    const period = parsePeriod(ctx.query, now(), organization.timeZone)
    const request = makeReportRequest(organization, definition, period, now)
    const startedAt = now()
    ctx.state.cache = 'miss'
    const answer = await cache.get({
      ...cacheRequest(ctx, request, JSON_FORMAT.name),
      load: signal => readReport(request, JSON_FORMAT, signal),
    })
    ctx.state.timings.push(['cache', now() - startedAt])
    const body = answer.value
    const head = {
      contentType: JSON_FORMAT.contentType,
      contentLocation: contentLocation(`/reports/${definition.code}`, periodParameters(period)),
      dataAsOf: body.dataAsOf,
      news: answer,
    }
    if (body.kind === 'whole') sendWhole(ctx, head, body.bytes, body.etag)
    else await sendStream(ctx, head, body, stallTimeoutMs)
  }
}
