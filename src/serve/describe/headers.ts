/** Response headers, as OpenAPI components, and the responses that have them. */

interface HeaderComponent {
  readonly description: string
  readonly schema: object
  readonly example?: string
}

const text = { type: 'string' }

export const HEADERS = {
  'X-Request-Id': {
    description:
      'Identifies the request in the log of the gateway; that of the client, if it is valid.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  },
  'X-Content-Type-Options': { description: 'Always nosniff.', schema: { const: 'nosniff' } },
  'Cross-Origin-Resource-Policy': {
    description: 'Always same-origin.',
    schema: { const: 'same-origin' },
  },
  'Access-Control-Allow-Origin': {
    description: 'The origin of the request, if it is one of CORS_ORIGINS.',
    schema: text,
  },
  'Access-Control-Expose-Headers': {
    description: 'Headers that scripts of this origin may read.',
    schema: text,
  },
  Vary: { description: 'Request headers that the response depends on.', schema: text },
  'Cache-Control': {
    description: 'private, no-cache: store the response, but revalidate it before each use.',
    schema: { enum: ['private, no-cache', 'no-store'] },
  },
  ETag: {
    description:
      'Of this representation; for If-None-Match and If-Range. Responses that are too large to cache have none.',
    schema: text,
  },
  'Accept-Ranges': { description: 'Range is supported.', schema: { const: 'bytes' } },
  'Content-Location': {
    description: 'Path and query of the response, with both ends of the period.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  'Content-Disposition': { description: 'The file name of a download.', schema: text },
  'Content-Encoding': {
    description: 'As Accept-Encoding allows.',
    schema: { const: 'gzip' },
  },
  'Content-Range': { description: 'The part of a response to Range.', schema: text },
  'Content-Language': {
    description: 'The language of title and detail.',
    schema: { enum: ['ru', 'en'] },
  },
  'Data-As-Of': {
    description: 'The instant of the data: everything that was committed before it is included.',
    schema: { type: 'string', format: 'date-time' },
  },
  Age: {
    description: 'Seconds since the response was made.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Cache-Status': {
    description: 'What the cache did (RFC 9211).',
    schema: text,
    example: 'svodka; hit; ttl=42',
  },
  'Server-Timing': { description: 'Durations of stages in milliseconds.', schema: text },
  'Retry-After': {
    description: 'Seconds to wait before the request is repeated.',
    schema: { type: 'integer', minimum: 1, maximum: 120 },
  },
  'WWW-Authenticate': { description: 'The accepted schemes: Bearer and Basic.', schema: text },
  Allow: { description: 'The accepted methods.', schema: { const: 'GET, HEAD' } },
  Link: { description: 'This document, as rel="service-desc".', schema: text },
  Deprecation: {
    description: 'The report is deprecated since this instant (RFC 9745).',
    schema: text,
  },
  Sunset: {
    description: 'The report may be removed from this instant on (RFC 8594).',
    schema: text,
  },
} as const satisfies Record<string, HeaderComponent>

export type HeaderName = keyof typeof HEADERS

/** Headers of every response. */
const COMMON: readonly HeaderName[] = [
  'X-Request-Id',
  'X-Content-Type-Options',
  'Cross-Origin-Resource-Policy',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Vary',
  'Cache-Control',
  'Server-Timing',
]

/** Headers of a body that is made once for all organizations. */
export const DESCRIPTION_HEADERS: readonly HeaderName[] = ['ETag', 'Content-Encoding', 'Link']
export const DATA_HEADERS: readonly HeaderName[] = [
  'ETag',
  'Accept-Ranges',
  'Content-Location',
  'Content-Disposition',
  'Content-Encoding',
  'Data-As-Of',
  'Age',
  'Cache-Status',
  'Deprecation',
  'Sunset',
]

/** References to the common headers and to these. */
export function headerRefs(names: readonly HeaderName[] = []): Record<string, object> {
  const all = [...COMMON, ...names]
  return Object.fromEntries(all.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}
