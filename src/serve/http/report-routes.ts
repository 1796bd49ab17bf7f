/** `/reports` and `/reports/:code`. */
import contentDisposition from 'content-disposition'
import type { Cache } from '../cache/cache.ts'
import type { Aliases } from '../fast-path/aliases.ts'
import type { Catalog, ReportDefinition } from '../../definitions/definition.ts'
import { parsePeriod, PERIOD_PARAMETERS } from '../../definitions/period.ts'
import { printable, Problem } from '../../model/errors.ts'
import type { Format } from '../formats/format.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import type { StreamedBody } from '../body/streamed-body.ts'
import { etagOf } from '../body/etag.ts'
import { variantOf } from '../body/load-report.ts'
import type { LoadReport } from '../body/load-report.ts'
import { makeReportRequest } from '../body/report-request.ts'
import { hasFormat, representationName } from '../body/representations.ts'
import type { CachedReport, Representations } from '../body/representations.ts'
import { REPORT_FORMATS } from '../../model/terms.ts'
import type { Clock, IsoDate, ReportFormat } from '../../model/terms.ts'
import { sendBytes, sendStream, sendWhole } from './send-response.ts'
import type { Sending } from './send-response.ts'
import { cacheRequest } from './cache-request.ts'
import { chooseFormat, reportName } from './choose-format.ts'
import { chooseCoding } from './negotiation.ts'
import { learnMeaning } from '../fast-path/cached-response.ts'
import type { Meaning } from '../fast-path/cached-response.ts'
import { contentLocation, periodParameters, PREFIX } from './paths.ts'
import { organizationOf } from './active-requests.ts'
import type { ApiContext, ApiMiddleware } from './active-requests.ts'

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
  readonly cache: Cache
  readonly aliases: Aliases<Meaning>
  readonly loadReport: LoadReport
  readonly representations: Representations
  readonly sending: Sending
  readonly now: Clock
}): ApiMiddleware {
  const { cache, aliases, loadReport, representations, sending, now } = options
  return async ctx => {
    const organization = organizationOf(ctx)
    const { definition, extension } = reportOf(ctx)
    const period = parsePeriod(ctx.query, now(), organization.timeZone)
    const chosen = chooseFormat(extension, ctx.query, ctx.get('Accept'))
    const { format } = chosen
    const request = makeReportRequest(organization, definition, period, now)
    const lookup = cacheRequest(ctx, request, 'report')
    const { key } = lookup
    const startedAt = now()
    ctx.state.cache = 'miss'
    ctx.state.format = chosen.name
    // why: without chunks, only a length tells a client whether it has all
    const wanted = { format, wholeOnly: ctx.req.httpVersionMinor === 0 }
    const wantedCoding = format.isText ? chooseCoding(ctx.headers['accept-encoding']) : 'identity'
    const { value, ...news } = await cache.get<CachedReport | StreamedBody>({
      ...lookup,
      // why: a stream has the format of the request that began it, and what is too large for one fits into another
      flightKey: `${key} ${variantOf(wanted)}`,
      accepts: cached => cached.kind === 'streamed' || hasFormat(cached, format),
      load: signal => loadReport(request, wanted, signal),
    })

    const [[, from], [, to]] = periodParameters(period)
    const path = format === JSON_FORMAT ? definition.code : `${definition.code}.${format.extension}`
    const described = {
      contentType: format.contentType,
      contentLocation: contentLocation(`/reports/${path}`, [
        ...periodParameters(period),
        ...chosen.parameters,
      ]),
      disposition: disposition(definition, { from, to }, format),
    }
    const { dataAsOf } = value
    if (value.kind === 'streamed') {
      ctx.state.timings.push(['cache', now() - startedAt])
      const coding = wanted.wholeOnly ? 'identity' : wantedCoding
      return sendStream(ctx, { ...described, coding, dataAsOf, news }, value, sending)
    }
    const sent = await representations.of(value, key, format, wantedCoding, ctx.state.signal)
    ctx.state.timings.push(['cache', now() - startedAt])
    learnMeaning(ctx, aliases, {
      readParameters: [...PERIOD_PARAMETERS, ...chosen.readParameters],
      route: 'report',
      report: definition.code,
      format: chosen.name,
      ...described,
      keys: [key],
      representation: representationName(format, wantedCoding),
      assembled: undefined,
    })
    return sendWhole(ctx, { ...described, coding: sent.coding, dataAsOf, news }, sent, sending)
  }
}

/** No file of Windows may have these in its name. */
const FORBIDDEN = /[\\/:*?"<>|]/g

/**
 * What a downloaded report is called: by its title and period for people, by its code for what reads no Russian:
 * `attachment; filename="profit_loss_2026-01-01_2026-12-31.csv"; filename*=UTF-8''...`; JSON is shown
 * where it is opened.
 * @param to inclusive
 * @see https://www.rfc-editor.org/rfc/rfc6266
 */
function disposition(
  { code, title }: ReportDefinition,
  { from, to }: { readonly from: IsoDate; readonly to: IsoDate },
  { extension }: Format,
): string {
  const name = `${title.replaceAll(FORBIDDEN, '-')} ${from} — ${to}.${extension}`
  return contentDisposition(name, {
    type: extension === JSON_FORMAT.extension ? 'inline' : 'attachment',
    fallback: `${code}_${from}_${to}.${extension}`,
  })
}
