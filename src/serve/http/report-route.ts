/** `/reports/:code`. */
import { PREFIX } from '../../model/api-prefix.ts'
import { printable, Problem } from '../../model/errors.ts'
import { REPORT_FORMATS } from '../../model/terms.ts'
import type { Bytes } from '../../model/terms.ts'
import { inclusiveDates } from '../../definitions/calendar.ts'
import { parsePeriod } from '../../definitions/period.ts'
import type { Cache } from '../cache/cache.ts'
import type { Cached } from '../cache/entry.ts'
import type { Format } from '../formats/format.ts'
import { representationOf } from '../report/body.ts'
import type { Body } from '../report/body.ts'
import { gzipEtag } from '../report/gzip.ts'
import type { LoadReport } from '../report/load-report.ts'
import type { OutgoingBodies } from '../report/outgoing-bodies.ts'
import { makeReportRequest } from '../report/report-request.ts'
import { readCache } from './cache-request.ts'
import { chooseFormat, chooseCoding } from './negotiation.ts'
import { withComparison } from './compare-parameter.ts'
import { readCompared } from './compared-report.ts'
import { etagMatches } from './conditional-request.ts'
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
  readonly outgoing: OutgoingBodies
  readonly sender: Sender
}): ReportRoute {
  const { cache, loadReport, outgoing, sender } = options

  /** The body in the content coding that the client accepts. */
  async function representation(request: Request, { isText }: Format, cached: Cached<Body>) {
    const { headers, incoming } = request
    const { value } = cached
    const accepted = isText ? chooseCoding(headers.acceptEncoding) : 'identity'
    if (value.kind === 'memory') {
      const isCached = (etag: string): boolean => etagMatches(headers.ifNoneMatch ?? '', etag)
      const grow = (byteCount: Bytes): boolean => cache.grow(cached, byteCount)
      const { bytes, etag, coding } = await representationOf(value, accepted, isCached, grow)
      const isFinal = coding === accepted || value.gzip !== undefined
      return { body: bytes, etag, coding, hasRanges: true, isFinal }
    }
    // why: HTTP/1.0 has no chunks, so only the length shows whether a response is complete
    const needsLength = incoming.httpVersionMinor === 0 || headers.range !== undefined
    const isWhole = accepted === 'identity' || needsLength || sender.wasTooSlow(request)
    const coding = isWhole ? 'identity' : 'gzip'
    const etag = isWhole ? value.etag : gzipEtag(value.etag, 'chunks')
    return { body: value, etag, coding, hasRanges: isWhole, isFinal: true } as const
  }

  return async (request, name) => {
    const { code, extension } = reportName(name)
    const definition = request.catalog.reports.get(code)
    if (definition === undefined) throw noReport(name)
    requireRead(request)
    const organization = organizationOf(request)
    const { receivedAt, headers, fact } = request
    const { values, hasIgnored } = readParameters(request.queryString, PARAMETERS)
    const { compare } = values
    const period = parsePeriod(values, receivedAt, organization.timeZone)
    const chosen = chooseFormat(extension, values, headers.accept)
    const { format } = chosen
    const plain = makeReportRequest(organization, definition, period, receivedAt, format)
    const reportRequest = compare ? withComparison(plain, compare) : plain
    fact.format = chosen.name
    fact.cache = 'miss'
    const cached = compare
      ? await readCompared(request, reportRequest, cache, loadReport, outgoing)
      : await readCache(cache, request, reportRequest, request.stop, loadReport)
    const { value } = cached
    if (value.kind === 'file' && !request.isOver) {
      value.open()
      ;(request.atEnd ??= []).push(() => value.close())
    }
    const { body, etag, coding, hasRanges, isFinal } = await representation(request, format, cached)
    const ofFormat = reportHead(definition, format)
    const { from, to } = inclusiveDates(reportRequest.period)
    // why: the part of a period that has elapsed would have another period before it
    const location = `${ofFormat.path}?${queryOf(period, { compare, ...chosen.query })}`
    return {
      contentType: format.contentType,
      head: [
        ...representationHead(location, value.dataAsOf, etag, coding, hasRanges),
        ...ofFormat.lifecycle,
        'Content-Disposition',
        ofFormat.disposition(from, to),
      ],
      etag,
      body,
      coding,
      metadata: cached,
      // why: a merged body is as fresh as the two that it was made from, an ignored parameter may contain a key, and the
      // next response may be compressed
      cached: compare || hasIgnored || !isFinal ? [] : [cached],
      format: chosen.name,
    }
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
