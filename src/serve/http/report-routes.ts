/** `/reports/:code`. */
import contentDisposition from 'content-disposition'
import type { Cache } from '../cache/cache.ts'
import type { Aliases } from './fast-path/aliases.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import { inclusiveDates } from '../../definitions/calendar.ts'
import { parsePeriod, PERIOD_PARAMETERS } from '../../definitions/period.ts'
import { printable, Problem } from '../../model/errors.ts'
import type { Format } from '../formats/format.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import type { Body } from '../report/body.ts'
import type { LoadReport } from '../report/load-report.ts'
import { makeReportRequest } from '../report/report-request.ts'
import { representationOf } from '../report/body.ts'
import { REPORT_FORMATS } from '../../model/terms.ts'
import type { Clock, IsoDate, ReportFormat } from '../../model/terms.ts'
import { sendFile, sendMemory } from './send-response.ts'
import type { SendOptions } from './send-response.ts'
import { cacheRequest, stopOf } from './cache-request.ts'
import { readParameters } from './read-parameters.ts'
import { readCompared } from './compared-report.ts'
import type { ReadReport } from './compared-report.ts'
import { COMPARE, comparedReports, compareParameters, comparisonOf } from './compare-parameter.ts'
import { chooseFormat, FORMAT_PARAMETERS, reportName } from './choose-format.ts'
import { etagMatches } from './conditional-request.ts'
import { chooseCoding } from './negotiation.ts'
import { addAlias } from './fast-path/cached-response.ts'
import type { AliasTarget } from './fast-path/cached-response.ts'
import { PREFIX } from '../../model/api-prefix.ts'
import { contentLocation, periodParameters } from './paths.ts'
import { organizationOf } from './active-requests.ts'
import type { ApiContext, ApiMiddleware } from './active-requests.ts'

/** Precedes the check of the method: an unknown report is 404 for all methods. */
export const findReport: ApiMiddleware = async (ctx, next) => {
  reportOf(ctx)
  await next()
}

/** The report of a path without an extension. @throws Problem `report_not_found` */
export function definitionOf(ctx: ApiContext): ReportDefinition {
  const { definition, extension } = reportOf(ctx)
  if (extension !== undefined) throw noReport(`${definition.code}.${extension}`)
  return definition
}

/** As `findReport`, for paths without an extension. */
export const findDefinition: ApiMiddleware = async (ctx, next) => {
  definitionOf(ctx)
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
  throw noReport(name)
}

function noReport(name: string): Problem {
  const printableName = printable(name)
  const formats = REPORT_FORMATS.map(one => `.${one}`).join(', ')
  return new Problem('report_not_found', {
    ru: `Отчёта с кодом «${printableName}» нет. Список отчётов: ${PREFIX}/reports. К коду можно добавить формат: ${formats}.`,
    en: `No report has the code "${printableName}". The list of reports: ${PREFIX}/reports. A format may follow the code: ${formats}.`,
  })
}

const PARAMETERS = [...PERIOD_PARAMETERS, COMPARE, ...FORMAT_PARAMETERS]

export function report(options: {
  readonly cache: Cache
  readonly aliases: Aliases<AliasTarget>
  readonly loadReport: LoadReport
  readonly sending: SendOptions
  readonly now: Clock
}): ApiMiddleware {
  const { cache, aliases, loadReport, sending, now } = options
  return async ctx => {
    const organization = organizationOf(ctx)
    const { definition, extension } = reportOf(ctx)
    const { receivedAt } = ctx.state
    const parameters = readParameters(ctx.querystring, PARAMETERS)
    const requested = parsePeriod(parameters.values, receivedAt, organization.timeZone)
    const chosen = chooseFormat(extension, parameters, ctx.headers.accept)
    const { format } = chosen
    const kind = comparisonOf(parameters)
    const plain = makeReportRequest(organization, definition, requested, receivedAt, format)
    const both = kind && comparedReports(plain, kind)
    const request = both?.requested ?? plain
    const startedAt = now()
    ctx.state.cache = 'miss'
    ctx.state.format = chosen.name
    const acceptedCoding = format.isText ? chooseCoding(ctx.headers['accept-encoding']) : 'identity'
    const path = format === JSON_FORMAT ? definition.code : `${definition.code}.${format.extension}`
    const head = {
      contentType: format.contentType,
      contentLocation: contentLocation(`/reports/${path}`, [
        // why: the part of a period that has elapsed would have another period before it
        ...periodParameters(requested),
        ...compareParameters(kind),
        ...chosen.parameters,
      ]),
      disposition: disposition(definition, inclusiveDates(request.period), format),
      lifecycle: lifecycle(definition),
    }
    const read: ReadReport = (ofRequest, signal) =>
      cache.get<Body>({
        ...cacheRequest(ctx, ofRequest),
        load: aborted => loadReport(ofRequest, stopOf(aborted), ctx.state.origin),
        signal,
      })
    const { value, key, ...metadata } = both
      ? await readCompared(ctx, both, format, cache, read)
      : await read(request, ctx.state.signal)
    const { dataAsOf } = value
    if (value.kind === 'file') {
      ctx.state.timings.push(['cache', now() - startedAt])
      return sendFile(ctx, { ...head, coding: acceptedCoding, dataAsOf, metadata }, value, sending)
    }
    const isCached = (etag: string): boolean => etagMatches(ctx.get('If-None-Match'), etag)
    const sent = await representationOf(value, acceptedCoding, isCached, bytes =>
      cache.grow(key, value, bytes),
    )
    ctx.state.timings.push(['cache', now() - startedAt])
    // why: a merged body is as fresh as the two that it was made from, which an alias would not know
    if (both === undefined) {
      addAlias(ctx, aliases, parameters, {
        route: 'report',
        report: definition.code,
        format: chosen.name,
        ...head,
        keys: [key],
        acceptedCoding,
        combined: undefined,
      })
    }
    return sendMemory(ctx, { ...head, coding: sent.coding, dataAsOf, metadata }, sent, sending)
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc9745 and https://www.rfc-editor.org/rfc/rfc8594 */
function lifecycle({ deprecated }: ReportDefinition): string[] {
  if (deprecated === undefined) return []
  const { since, sunset } = deprecated
  const head = ['Deprecation', `@${Date.parse(since) / 1000}`]
  return sunset === undefined ? head : [...head, 'Sunset', new Date(sunset).toUTCString()]
}

/** Forbidden in file names on Windows. */
const FORBIDDEN = /[\\/:*?"<>|]/g

/**
 * The file name of a download: title and period, and for clients without UTF-8 the code:
 * `attachment; filename="profit_loss_2026-01-01_2026-12-31.csv"; filename*=UTF-8''...`. JSON is `inline`.
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
