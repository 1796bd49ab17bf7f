/** The words of the OpenAPI document in English, which other languages translate by them. */
import { TEXTS } from '../texts.ts'

const LANGUAGES = Object.keys(TEXTS).join(' or ')

/** Descriptions of headers: of every response, of reports and metrics, and others. */
export const HEADERS = {
  common: {
    'X-Request-Id': 'Identifies the request in the log; that of the client, if it is valid.',
    'X-Content-Type-Options': 'Always nosniff.',
    'Cross-Origin-Resource-Policy': 'Always same-origin.',
    'Access-Control-Allow-Origin': 'The origin of the request, if it is one of CORS_ORIGINS.',
    'Access-Control-Expose-Headers': 'Headers that scripts of this origin may read.',
    Vary: 'Request headers that the response depends on.',
    'Cache-Control': 'no-store, or private, no-cache: store it, revalidate before each use.',
    'Server-Timing': 'Durations of stages in milliseconds.',
  },
  data: {
    ETag: 'Of this representation; for If-None-Match, If-Match and If-Range.',
    'Accept-Ranges': 'Always bytes: Range is supported.',
    'Content-Location': 'Path and query of the response, with both ends of the period.',
    'Content-Disposition': 'The file name of a download.',
    'Content-Encoding': 'gzip, if Accept-Encoding allows it.',
    'Data-As-Of': 'The data include everything that was committed before this instant.',
    Age: 'Seconds since the response was made.',
    'Cache-Status': 'What the cache did (RFC 9211), such as svodka; hit; ttl=42.',
    Deprecation: 'The report is deprecated since this instant (RFC 9745).',
    Sunset: 'The report may be removed from this instant on (RFC 8594).',
  },
  others: {
    'Content-Range': 'The part of a response to Range.',
    'Content-Language': `The language of title and detail: ${LANGUAGES}.`,
    'Retry-After': 'Seconds to wait, 1 to 120, before a retry.',
    'WWW-Authenticate': 'The accepted schemes: Bearer and Basic.',
    Allow: 'The accepted methods: GET, HEAD.',
    Link: 'This document, as rel="service-desc".',
  },
}

export const PARAMETERS = {
  from: 'First day, in the time zone of the organization; by default 1 January of the current year.',
  to: 'Last day, inclusive; by default 31 December of the current year.',
  codes: 'At most 50 codes of metrics, separated by commas; by default all.',
  preset: 'Of CSV, for Excel in the language of the product: whole units of the currency, titles.',
  end: 'Of NDJSON: true adds a last line with the totals.',
  compare:
    'Adds the comparison with an earlier period: previous is the one before, year the same dates a year before. An unfinished period is compared by its days until today, and the rows, totals and summary are of these days, too: see period. A row has changes only if both periods have the same days of its month. Formats other than JSON have the columns of the comparison at the end.',
  'If-None-Match': 'An ETag: 304 if it is current.',
  'Accept-Language': `The language of errors: ${LANGUAGES}.`,
}

export const DESCRIPTION = `Read-only reports and metrics of an organization. HEAD has the status and headers of GET.
For generators of clients: each report has the operation report_CODE, which is JSON, and report_CODE_FORMAT for each format (the parameter format and Accept choose one too); select by tag what you need, and ignore unknown fields, since fields may be added.
Every response is complete before its first byte: a report of any length has a Content-Length and an ETag, and is resumed by Range with If-Match: 206 has the part of the 200. A large one that is compressed has no Content-Length.`
