/** `/reports` and `/reports/:code`. */
import type { Aliases } from '../cache/aliases.ts'
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
import { learnMeaning } from './kept-answer.ts'
import type { Meaning } from './kept-answer.ts'
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
  readonly aliases: Aliases<Meaning>
  readonly readReport: ReadReport
  readonly stallTimeoutMs: Milliseconds
  readonly now: Clock
}): ApiMiddleware {
  const { cache, aliases, readReport, stallTimeoutMs, now } = options
  return async ctx => {
    const organization = organizationOf(ctx)
    const definition = reportOf(ctx)
    const period = parsePeriod(ctx.query, now(), organization.timeZone)
    const request = makeReportRequest(organization, definition, period, now)
    const startedAt = now()
    ctx.state.cache = 'miss'
    const asked = cacheRequest(ctx, request, JSON_FORMAT.name)
    const answer = await cache.get({
      ...asked,
      load: signal => readReport(request, { format: JSON_FORMAT }, signal),
    })
    ctx.state.timings.push(['cache', now() - startedAt])
    const body = answer.value
    const { code } = definition
    const representation = {
      contentType: JSON_FORMAT.contentType,
      contentLocation: contentLocation(`/reports/${code}`, periodParameters(period)),
    }
    const head = { ...representation, dataAsOf: body.dataAsOf, news: answer }
    if (body.kind === 'streamed') return sendStream(ctx, head, body, stallTimeoutMs)
    const answers = [{ key: asked.key, serial: answer.serial }]
    const meaning = { route: 'report', report: code, ...representation, answers } as const
    learnMeaning(ctx, aliases, { ...meaning, assembled: undefined })
    sendWhole(ctx, head, body.bytes, body.etag)
  }
}
