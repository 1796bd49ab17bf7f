/** Response headers, as OpenAPI components, and the responses that have them. */

const OF_ALL = {
  'X-Request-Id':
    'Identifies the request in the log of the gateway; that of the client, if it is valid.',
  'X-Content-Type-Options': 'Always nosniff.',
  'Cross-Origin-Resource-Policy': 'Always same-origin.',
  'Access-Control-Allow-Origin': 'The origin of the request, if it is one of CORS_ORIGINS.',
  'Access-Control-Expose-Headers': 'Headers that scripts of this origin may read.',
  Vary: 'Request headers that the response depends on.',
  'Cache-Control': 'private, no-cache: store the response, but revalidate it before each use.',
  'Server-Timing': 'Durations of stages in milliseconds.',
}

const OF_DATA = {
  ETag: 'Of this representation; for If-None-Match and If-Range.',
  'Accept-Ranges': 'Range is supported.',
  'Content-Location': 'Path and query of the response, with both ends of the period.',
  'Content-Disposition': 'The file name of a download.',
  'Content-Encoding': 'As Accept-Encoding allows.',
  'Data-As-Of': 'The instant of the data: everything that was committed before it is included.',
  Age: 'Seconds since the response was made.',
  'Cache-Status': 'What the cache did (RFC 9211), such as svodka; hit; ttl=42.',
  Deprecation: 'The report is deprecated since this instant (RFC 9745).',
  Sunset: 'The report may be removed from this instant on (RFC 8594).',
}

const DESCRIPTIONS = {
  ...OF_ALL,
  ...OF_DATA,
  'Content-Range': 'The part of a response to Range.',
  'Content-Language': 'The language of title and detail.',
  'Retry-After': 'Seconds to wait before the request is repeated.',
  'WWW-Authenticate': 'The accepted schemes: Bearer and Basic.',
  Allow: 'The accepted methods.',
  Link: 'This document, as rel="service-desc".',
}

export type HeaderName = keyof typeof DESCRIPTIONS

/** Of those that are not just any text. */
const SCHEMAS: Readonly<Partial<Record<HeaderName, object>>> = {
  'X-Request-Id': { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  'X-Content-Type-Options': { const: 'nosniff' },
  'Cross-Origin-Resource-Policy': { const: 'same-origin' },
  'Cache-Control': { enum: ['private, no-cache', 'no-store'] },
  'Accept-Ranges': { const: 'bytes' },
  'Content-Location': { type: 'string', format: 'uri-reference' },
  'Content-Encoding': { const: 'gzip' },
  'Content-Language': { enum: ['ru', 'en'] },
  'Data-As-Of': { type: 'string', format: 'date-time' },
  Age: { type: 'integer', minimum: 0 },
  'Retry-After': { type: 'integer', minimum: 1, maximum: 120 },
  Allow: { const: 'GET, HEAD' },
}

export const HEADERS = Object.fromEntries(
  Object.entries(DESCRIPTIONS).map(([name, description]) => [
    name,
    { description, schema: SCHEMAS[name as HeaderName] ?? { type: 'string' } },
  ]),
)

export const DATA_HEADERS = Object.keys(OF_DATA) as HeaderName[]

/** References to the headers of every response and to these. */
export function headerRefs(names: readonly HeaderName[]): Record<string, object> {
  const all = [...Object.keys(OF_ALL), ...names]
  return Object.fromEntries(all.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}
