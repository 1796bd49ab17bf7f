/** Components of the OpenAPI document: headers, parameters, problems. */
import { COMPARISONS } from '../../definitions/comparison-period.ts'
import { problemFields, PROBLEMS, type ProblemCode } from '../../model/errors.ts'

function header(description: string, schema: object = { type: 'string' }) {
  return { description, schema }
}

const COMMON_HEADERS = {
  'X-Request-Id': header('Identifies the request in the log; that of the client, if it is valid.'),
  'X-Content-Type-Options': header('Always nosniff.'),
  'Cross-Origin-Resource-Policy': header('Always same-origin.'),
  'Access-Control-Allow-Origin': header('The origin of the request, if it is one of CORS_ORIGINS.'),
  'Access-Control-Expose-Headers': header('Headers that scripts of this origin may read.'),
  Vary: header('Request headers that the response depends on.'),
  'Cache-Control': header('no-store, or private, no-cache: store it, revalidate before each use.'),
  'Server-Timing': header('Durations of stages in milliseconds.'),
}

const REPORT_HEADERS = {
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
  ...COMMON_HEADERS,
  ...REPORT_HEADERS,
  'Content-Range': header('The part of a response to Range.'),
  'Content-Language': header('The language of title and detail: ru or en.'),
  'Retry-After': header('Seconds to wait, 1 to 120, before a retry.', { type: 'integer' }),
  'WWW-Authenticate': header('The accepted schemes: Bearer and Basic.'),
  Allow: header('The accepted methods: GET, HEAD.'),
  Link: header('This document, as rel="service-desc".'),
}

export type HeaderName = keyof typeof HEADERS

export const DATA_HEADERS = Object.keys(REPORT_HEADERS) as HeaderName[]

/** References to the headers of every response and to these. */
export function headerRefs(names: readonly HeaderName[]): Record<string, object> {
  const all = [...Object.keys(COMMON_HEADERS), ...names]
  return Object.fromEntries(all.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}

const date = { type: 'string', examples: ['2026-01-31', '20260131', '2026-01-31T00:00:00+03:00'] }
const text = { type: 'string' }

const PARAMETERS = {
  from: parameter(
    'First day, in the time zone of the organization; by default 1 January of the current year.',
    date,
  ),
  to: parameter('Last day, inclusive; by default 31 December of the current year.', date),
  codes: parameter('At most 50 codes of metrics, such as income,expenses; by default all.', text),
  preset: parameter('Of CSV, for a Russian Excel: roubles, Russian titles.', { enum: ['excel'] }),
  end: parameter('Of NDJSON: true adds a last line with the totals.', { enum: ['true', 'false'] }),
  compare: parameter(
    'Adds the comparison with an earlier period: previous is the one before, year the same dates a year before. An unfinished period is compared by its days until today, and the rows, totals and summary are of these days, too: see period. A row has changes only if both periods have the same days of its month. Formats other than JSON have the columns of the comparison at the end.',
    { enum: COMPARISONS },
  ),
  'If-None-Match': parameter('An ETag: 304 if it is current.', text, 'header'),
  'Accept-Language': parameter('The language of errors: ru or en.', text, 'header'),
}

function parameter(description: string, schema: object, place = 'query') {
  return { in: place, description, schema }
}

export type ParameterName = keyof typeof PARAMETERS

export const PARAMETER_COMPONENTS = Object.fromEntries(
  Object.entries(PARAMETERS).map(([name, parameter]) => [name, { name, ...parameter }]),
)

/** @param own of the report */
export function parameterRefs(
  names: readonly ParameterName[],
  own: readonly object[] = [],
): object[] {
  const all: readonly ParameterName[] = [...names, 'If-None-Match', 'Accept-Language']
  return [...own, ...all.map(name => ({ $ref: `#/components/parameters/${name}` }))]
}

/** Headers that a status has besides the common ones. */
const HEADERS_OF: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
  504: ['Retry-After'],
}

const CODES = Object.keys(PROBLEMS) as ProblemCode[]
const STATUSES = [...new Set(CODES.map(code => PROBLEMS[code].status))]

/** The responses by name, such as `Problem404`. */
export const PROBLEM_RESPONSES = Object.fromEntries(
  STATUSES.map(status => [`Problem${status}`, responseOf(status)]),
)

/** References for an operation, by status. */
export function problemRefs(statuses: readonly number[]): Record<string, object> {
  return Object.fromEntries(
    statuses.map(status => [status, { $ref: `#/components/responses/Problem${status}` }]),
  )
}

function responseOf(status: number): object {
  const codes = CODES.filter(code => PROBLEMS[code].status === status)
  const examples = codes.map(code => {
    const problem = { code, detail: PROBLEMS[code].title }
    return [code, { value: problemFields(problem, 'ru', '9d6c1060-7b83-4907-8f0c-2f6d3c1a4b5e') }]
  })
  const schema = { $ref: '#/components/schemas/Problem' }
  return {
    description: codes.map(code => `\`${code}\`: ${PROBLEMS[code].title.en}`).join('; '),
    headers: headerRefs(['Content-Language', ...(HEADERS_OF[status] ?? [])]),
    content: { 'application/problem+json': { schema, examples: Object.fromEntries(examples) } },
  }
}
