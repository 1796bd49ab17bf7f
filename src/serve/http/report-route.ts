/** `/reports/:code`. */
import { printable, Problem, PROBLEMS } from '../../model/errors.ts'
import { PREFIX, REPORT_FORMATS, type Bytes, type Seconds } from '../../model/terms.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Reader } from '../access/access-rows.ts'
import { inclusiveDates } from '../../definitions/calendar.ts'
import { queryOfValues, valuesFor } from '../../definitions/parameter-values.ts'
import { parsePeriod } from '../../definitions/period.ts'
import type { Cache } from '../cache/cache.ts'
import type { Cached, CacheRequest } from '../cache/entry.ts'
import { gzipEtag, representationOf, type Coding, type Representation } from '../report/body.ts'
import type { Body } from '../report/encode.ts'
import { freshSecondsOf, keysOfOtherFormats } from '../report/report-request.ts'
import { makeReportRequest, withComparison } from '../report/report-request.ts'
import type { ReportRequest } from '../report/report-request.ts'
import { canonicalQuery, chooseFormat, chooseCoding, readParameters } from './negotiation.ts'
import { selectionWords } from '../../definitions/selection-words.ts'
import { etagMatches } from './conditional-request.ts'
import type { Exchange } from './active-requests.ts'
import { reportName, requireRead, type Request } from './request.ts'
import { representationHead, reportHead, type Response } from './response.ts'
import type { Sender } from './sender.ts'

const OF_API = ['from', 'to', 'compare', 'format', 'preset', 'end'] as const

type AskedReport = ReturnType<typeof readReportRequest>

/** @param name the last segment of the path: a code, and perhaps a format */
export function readReportRequest(request: Request, organization: Reader, name: string) {
  const { code, extension } = reportName(name)
  const definition = readableReport(request, organization, code, name)
  const { receivedAt, headers } = request
  const known = [...OF_API, ...definition.parameters.map(one => one.name)]
  const { values, hasIgnored } = readParameters(request.queryString, known)
  const { compare } = values
  const parameters = valuesFor(definition.parameters, values)
  const chosen = queryOfValues(definition.parameters, parameters)
  const period = parsePeriod(values, receivedAt, organization.timeZone)
  const { name: format, format: body, query } = chooseFormat(extension, values, headers.accept)
  const plain = makeReportRequest(organization, definition, period, receivedAt, body, parameters)
  const report = compare ? withComparison(plain, compare) : plain
  return {
    report,
    format,
    compare,
    // why: the part of a period that has elapsed would have another period before it
    values: chosen,
    query: canonicalQuery(period, chosen, {
      compare,
      ...query,
    }),
    hasIgnored,
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc9111#name-request-directives */
const NO_CACHE = /(?:^|[\s,])no-cache(?:$|[\s,=])/i
const MAX_AGE = /(?:^|[\s,])max-age="?(\d+)/i

/** The oldest response that a client accepts; 0 for one that is newer than its request. */
function maxAgeOf(cacheControl = ''): Seconds {
  if (NO_CACHE.test(cacheControl)) return 0
  return Number(MAX_AGE.exec(cacheControl)?.[1] ?? Infinity)
}

export function cacheRequest(
  { headers, stop }: Request,
  report: ReportRequest,
  stopOfPart = stop,
): CacheRequest {
  const freshSeconds = freshSecondsOf(report)
  const maxAgeSeconds = maxAgeOf(headers.cacheControl)
  const otherKeys = (): string[] => keysOfOtherFormats(report)
  return { freshSeconds, maxAgeSeconds, otherKeys, stop: stopOfPart, ...report }
}

/** At the end of the request, the value is delivered with the response, or owed to a client that is sent away. */
export function settleAtEnd<V>({ endings }: Exchange, cached: Cached<V>): Cached<V> {
  const { entry, stored } = cached
  if (entry.isOwed || stored)
    endings.push(({ aborted, method, problem }) => {
      if (aborted || method === 'HEAD') return
      if (problem === undefined || PROBLEMS[problem].status === 503)
        entry.isOwed = problem !== undefined
    })
  return cached
}

/** The response with a cached body, in the content coding that the client accepts. */
export function reportResponse(
  exchange: Exchange,
  asked: AskedReport,
  cached: Cached<Body>,
  cache: Cache,
  sender: Sender,
): Response | Promise<Response> {
  const { value } = settleAtEnd(exchange, cached)
  const { acceptEncoding, ifNoneMatch = '' } = exchange.request.headers
  const accepted = asked.report.format!.isText ? chooseCoding(acceptEncoding) : 'identity'
  if (value.kind === 'memory') {
    const isCached = (etag: string): boolean => etagMatches(ifNoneMatch, etag)
    const grow = (byteCount: Bytes): boolean => cache.grow(cached, byteCount)
    const respond = ({ bytes, etag, coding }: Representation): Response => {
      const isFinal = coding === accepted || value.gzip !== undefined
      return responseOf(asked, cached, bytes, etag, coding, isFinal)
    }
    const representation = representationOf(value, accepted, isCached, grow)
    return representation instanceof Promise
      ? representation.then(respond)
      : respond(representation)
  }
  value.open()
  exchange.endings.push(() => value.close())
  const { request } = exchange
  // why: HTTP/1.0 has no chunks, so only the length shows whether a response is complete
  const needsLength = request.isHttp10 || request.headers.range !== undefined
  const isSlow = sender.wasTooSlow(request, asked.report.organization)
  return accepted === 'identity' || needsLength || isSlow
    ? responseOf(asked, cached, value, value.etag, 'identity')
    : responseOf(asked, cached, value, gzipEtag(value.etag, 'chunks'), 'gzip')
}

/** @param isFinal whether the next response has the same coding */
function responseOf(
  { report, format: name, compare, query, values, hasIgnored }: AskedReport,
  cached: Cached<Body>,
  body: Response['body'],
  etag: string,
  coding: Coding,
  isFinal = true,
): Response {
  const format = report.format!
  const { path, lifecycle, disposition } = reportHead(report.definition, format)
  const { from, to } = inclusiveDates(report.period)
  const { dataAsOf } = cached.value
  const hasRanges = coding === 'identity' || Buffer.isBuffer(body)
  return {
    contentType: format.contentType,
    head: [
      ...representationHead(`${path}?${query}`, dataAsOf, etag, coding, hasRanges),
      ...lifecycle,
      'Content-Disposition',
      disposition(from, to, values, () => selectionWords(report) ?? ''),
    ],
    etag,
    body,
    coding,
    metadata: cached,
    // why: a merged body is as fresh as the two that it was made from, an ignored parameter may contain a key, and the
    // next response may be compressed
    cached: compare || hasIgnored || !isFinal ? [] : [cached],
    format: name,
  }
}

/** @param name of a segment that contains the code @throws Problem if there is none, or the key may not read it */
export function readableReport(
  request: Request,
  { catalog }: Reader,
  code: string,
  name = code,
): ReportDefinition {
  if (!catalog.whole.reports.has(code)) {
    const formats = REPORT_FORMATS.map(one => `.${one}`).join(', ')
    throw new Problem('report_not_found', texts =>
      texts.noSuchReport(printable(name), `${PREFIX}/reports`, formats),
    )
  }
  requireRead(request)
  const definition = catalog.reports.get(code)
  if (definition === undefined) throw notAllowed(code)
  return definition
}

/** @param codes of reports or metrics */
export function notAllowed(codes: string): Problem {
  return new Problem('report_not_allowed', texts => texts.notAllowed(codes, PREFIX))
}
