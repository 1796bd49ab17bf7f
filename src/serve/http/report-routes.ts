/** `/reports` and `/reports/:code`. */
import type { Aliases } from '../fast-path/aliases.ts'
import type { ReportCache } from '../cache/report-cache.ts'
import type { Catalog, ReportDefinition } from '../../definitions/definition.ts'
import { parsePeriod, PERIOD_PARAMETERS } from '../../definitions/period.ts'
import { printable, Problem } from '../../model/errors.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { etagOf } from '../body/body.ts'
import type { ReadReport } from '../body/read-report.ts'
import type { InSecondFormat } from '../body/second-format.ts'
import { makeReportRequest } from '../body/report-request.ts'
import { REPORT_FORMATS } from '../../model/terms.ts'
import type { Clock, ReportFormat } from '../../model/terms.ts'
import { sendBytes, sendStream, sendWhole } from './answer.ts'
import type { Sending } from './answer.ts'
import { askedAnswer } from './asked-answer.ts'
import { chooseFormat, reportName } from './choose-format.ts'
import { disposition } from './disposition.ts'
import { learnMeaning } from '../fast-path/cached-response.ts'
import type { Meaning } from '../fast-path/cached-response.ts'
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

interface NamedReport {
  readonly definition: ReportDefinition
  readonly extension: ReportFormat | undefined
}

function reportOf(ctx: ApiContext): NamedReport {
  const { code: name } = (ctx as unknown as { params: { code: string } }).params
  const { code, extension } = reportName(name) ?? { code: name, extension: undefined }
  const definition = ctx.state.catalog.reports.get(code)
  if (definition) return { definition, extension }
  const found = printable(name)
  const formats = REPORT_FORMATS.map(one => `.${one}`).join(', ')
  throw new Problem('report_not_found', {
    ru: `Отчёта с кодом «${found}» нет. Список отчётов: ${PREFIX}/reports. К коду можно добавить формат: ${formats}.`,
    en: `No report has the code "${found}". The list of reports: ${PREFIX}/reports. A format may follow the code: ${formats}.`,
  })
}

export function report(options: {
  readonly cache: ReportCache
  readonly aliases: Aliases<Meaning>
  readonly readReport: ReadReport
  readonly inSecondFormat: InSecondFormat
  readonly sending: Sending
  readonly now: Clock
}): ApiMiddleware {
  const { aliases, sending, now } = options
  return async ctx => {
    const organization = organizationOf(ctx)
    const { definition, extension } = reportOf(ctx)
    const { code } = definition
    const period = parsePeriod(ctx.query, now(), organization.timeZone)
    const chosen = chooseFormat(extension, ctx.query, ctx.get('Accept'))
    const { format } = chosen
    const request = makeReportRequest(organization, definition, period, now)
    const startedAt = now()
    ctx.state.cache = 'miss'
    ctx.state.format = chosen.name
    const { key, answer, coding } = await askedAnswer(options, ctx, request, format)
    ctx.state.timings.push(['cache', now() - startedAt])
    const body = answer.value
    const dates = periodParameters(period)
    const [[, from], [, to]] = dates
    const path = format === JSON_FORMAT ? code : `${code}.${format.extension}`
    const representation = {
      contentType: format.contentType,
      contentLocation: contentLocation(`/reports/${path}`, [...dates, ...chosen.parameters]),
      disposition: disposition(definition, { from, to }, format),
      coding,
    }
    const head = { ...representation, dataAsOf: body.dataAsOf, news: answer }
    if (body.kind === 'streamed') return sendStream(ctx, head, body, sending)
    const answers = [{ key, serial: answer.serial }]
    const meaning = {
      readParameters: [...PERIOD_PARAMETERS, ...chosen.readParameters],
      route: 'report',
      report: code,
      format: chosen.name,
      ...representation,
      answers,
    } as const
    learnMeaning(ctx, aliases, { ...meaning, assembled: undefined })
    return sendWhole(ctx, head, body, sending)
  }
}
