/** Response headers, as OpenAPI components, and the responses that have them. */

function header(description: string, schema: object = { type: 'string' }) {
  return { description, schema }
}

const OF_ALL = {
  'X-Request-Id': header('Identifies the request in the log; that of the client, if it is valid.'),
  'X-Content-Type-Options': header('Always nosniff.'),
  'Cross-Origin-Resource-Policy': header('Always same-origin.'),
  'Access-Control-Allow-Origin': header('The origin of the request, if it is one of CORS_ORIGINS.'),
  'Access-Control-Expose-Headers': header('Headers that scripts of this origin may read.'),
  Vary: header('Request headers that the response depends on.'),
  'Cache-Control': header('no-store, or private, no-cache: store it, revalidate before each use.'),
  'Server-Timing': header('Durations of stages in milliseconds.'),
}

const OF_DATA = {
  ETag: header('Of this representation; for If-None-Match, If-Match and If-Range.'),
  'Accept-Ranges': header('Always bytes: Range is supported.'),
  'Content-Location': header('Path and query of the response, with both ends of the period.'),
  'Content-Disposition': header('The file name of a download.'),
  'Content-Encoding': header('gzip, if Accept-Encoding allows it.'),
  'Data-As-Of': header('The data include everything that was committed before this instant.', {
    type: 'string',
    format: 'date-time',
  }),
  Age: header('Seconds since the response was made.', { type: 'integer', minimum: 0 }),
  'Cache-Status': header('What the cache did (RFC 9211), such as svodka; hit; ttl=42.'),
  Deprecation: header('The report is deprecated since this instant (RFC 9745).'),
  Sunset: header('The report may be removed from this instant on (RFC 8594).'),
}

export const HEADERS = {
  ...OF_ALL,
  ...OF_DATA,
  'Content-Range': header('The part of a response to Range.'),
  'Content-Language': header('The language of title and detail: ru or en.'),
  'Retry-After': header('Seconds to wait, 1 to 120, before a retry.', { type: 'integer' }),
  'WWW-Authenticate': header('The accepted schemes: Bearer and Basic.'),
  Allow: header('The accepted methods: GET, HEAD.'),
  Link: header('This document, as rel="service-desc".'),
}

export type HeaderName = keyof typeof HEADERS

export const DATA_HEADERS = Object.keys(OF_DATA) as HeaderName[]

/** References to the headers of every response and to these. */
export function headerRefs(names: readonly HeaderName[]): Record<string, object> {
  const all = [...Object.keys(OF_ALL), ...names]
  return Object.fromEntries(all.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}
