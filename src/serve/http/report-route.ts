/** `/reports/:code`. */
import { PREFIX } from '../../model/api-prefix.ts'
import { printable, Problem } from '../../model/errors.ts'
import { REPORT_FORMATS } from '../../model/terms.ts'
import type { Bytes, Clock } from '../../model/terms.ts'
import { inclusiveDates } from '../../definitions/calendar.ts'
import { parsePeriod } from '../../definitions/period.ts'
import type { Cache } from '../cache/cache.ts'
import type { Format } from '../formats/format.ts'
import { representationOf } from '../report/body.ts'
import type { Body, Representation } from '../report/body.ts'
import { gzipEtag } from '../report/gzip.ts'
import type { LoadReport } from '../report/load-report.ts'
import { makeReportRequest } from '../report/report-request.ts'
import { readCache } from './cache-request.ts'
import { chooseFormat } from './choose-format.ts'
import { withComparison } from './compare-parameter.ts'
import { readCompared } from './compared-report.ts'
import { etagMatches } from './conditional-request.ts'
import { chooseCoding } from './negotiation.ts'
import { queryOf, reportName } from './paths.ts'
import { readParameters } from './read-parameters.ts'
import { reportHead } from './report-head.ts'
import { organizationOf, requireRead } from './request.ts'
import type { Request } from './request.ts'
import { representationHead } from './response-head.ts'
import type { Response } from './response.ts'
import type { Sender } from './sender.ts'

const PARAMETERS = ['from', 'to', 'compare', 'format', 'preset', 'end'] as const

/** @param name the last segment of the path: a code, and perhaps a format */
export type ReportRoute = (request: Request, name: string) => Promise<Response>

export function createReportRoute(options: {
  readonly cache: Cache
  readonly loadReport: LoadReport
  readonly sender: Sender
  readonly now: Clock
}): ReportRoute {
  const { cache, loadReport, sender, now } = options

  /** The coding of a body; the bytes of a file are undefined. @param grow counts a gzip in the cache */
  async function representation(
    request: Request,
    { isText }: Format,
    body: Body,
    grow: (byteCount: Bytes) => boolean,
  ): Promise<Omit<Representation, 'bytes'> & { readonly bytes?: Buffer }> {
    const { headers, incoming } = request
    const accepted = isText ? chooseCoding(headers.acceptEncoding) : 'identity'
    if (body.kind === 'memory') {
      const isCached = (etag: string): boolean => etagMatches(headers.ifNoneMatch ?? '', etag)
      return representationOf(body, accepted, isCached, grow)
    }
    // why: HTTP/1.0 has no chunks, so only the length shows whether a response is complete
    const needsLength = incoming.httpVersionMinor === 0 || headers.range !== undefined
    if (accepted === 'identity' || needsLength || sender.wasTooSlow(request))
      return { etag: body.etag, coding: 'identity' }
    return { etag: gzipEtag(body.etag, 'chunks'), coding: 'gzip' }
  }

  return async (request, name) => {
    const asked = askedReport(request, name)
    const { reportRequest, format } = asked
    const { comparison } = reportRequest
    const startedAt = now()
    request.fact.cache = 'miss'
    const cached = comparison
      ? await readCompared(request, reportRequest, cache, loadReport)
      : await readCache(cache, request, reportRequest, request.stop, loadReport)
    const { value } = cached
    if (value.kind === 'file' && !request.isOver) {
      value.open()
      ;(request.atEnd ??= []).push(() => value.close())
    }
    const { bytes, etag, coding } = await representation(request, format, value, byteCount =>
      cache.grow(cached, byteCount),
    )
    request.cacheMs = now() - startedAt
    const ofFormat = reportHead(asked.definition, format)
    const { from, to } = inclusiveDates(reportRequest.period)
    const location = `${ofFormat.path}?${asked.query}`
    const hasRanges = bytes !== undefined || coding === 'identity'
    return {
      contentType: format.contentType,
      head: [
        ...representationHead(location, value.dataAsOf, etag, coding, hasRanges),
        ...ofFormat.lifecycle,
        'Content-Disposition',
        ofFormat.disposition(from, to),
      ],
      etag,
      body: value.kind === 'file' ? value : bytes!,
      coding,
      metadata: cached,
      // why: a merged body is as fresh as the two that it was made from, and an ignored parameter may contain a key
      cached: value.kind === 'file' || comparison || asked.hasIgnored ? [] : [{ ...cached, value }],
      format: request.fact.format!,
    }
  }
}

/** What the path, the parameters and `Accept` ask for. @throws Problem */
function askedReport(request: Request, name: string) {
  const { code, extension } = reportName(name)
  const definition = request.catalog.reports.get(code)
  if (definition === undefined) throw noReport(name)
  requireRead(request)
  const organization = organizationOf(request)
  const { receivedAt, headers } = request
  const { values, hasIgnored } = readParameters(request.queryString, PARAMETERS)
  const { compare } = values
  const period = parsePeriod(values, receivedAt, organization.timeZone)
  const chosen = chooseFormat(extension, values, headers.accept)
  const plain = makeReportRequest(organization, definition, period, receivedAt, chosen.format)
  request.fact.format = chosen.name
  return {
    definition,
    format: chosen.format,
    reportRequest: compare ? withComparison(plain, compare) : plain,
    // why: the part of a period that has elapsed would have another period before it
    query: queryOf(period, { compare, ...chosen.query }),
    hasIgnored,
  }
}

export function noReport(name: string): Problem {
  const printableName = printable(name)
  const formats = REPORT_FORMATS.map(one => `.${one}`).join(', ')
  return new Problem('report_not_found', {
    ru: `Отчёта с кодом «${printableName}» нет. Список отчётов: ${PREFIX}/reports. К коду можно добавить формат: ${formats}.`,
    en: `No report has the code "${printableName}". The list of reports: ${PREFIX}/reports. A format may follow the code: ${formats}.`,
  })
}
