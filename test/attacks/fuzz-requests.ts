// Requests of the fuzzer: almost valid HTTP, and valid HTTP that is almost a request of the API.
import * as fc from 'fast-check'

/** One of the words separated by blanks. */
function oneOf(words: string): fc.Arbitrary<string> {
  return fc.constantFrom(...words.split(/\s+/))
}

const latin1 = (maxLength: number): fc.Arbitrary<string> =>
  fc.uint8Array({ maxLength }).map(bytes => Buffer.from(bytes).toString('latin1'))

/** Input that breaks parsers: repetitions, separators, escapes, and protocol tokens at wrong positions. */
const scrap: fc.Arbitrary<string> = fc.oneof(
  latin1(20),
  oneOf(', ; " \\ % %00 %ff \0 \x7f \xff ../ HTTP/1.1'),
  fc.constantFrom('', ' ', '\t'),
  fc
    .tuple(fc.constantFrom(' ', ',', '"', '\\', '%2', 'a=', ';q=', '\xff'), fc.nat(2000))
    .map(([text, count]) => text.repeat(count)),
  oneOf(`__proto__ constructor toString NaN -0 1e999 ${'9'.repeat(400)}`),
)

const headerName = fc.oneof(
  oneOf(`Accept Accept-Encoding Accept-Language Authorization Cache-Control Connection Content-Length Cookie Expect
    Host If-Match If-Modified-Since If-None-Match If-Range Origin Range TE Traceparent
    Transfer-Encoding Upgrade X-Api-Key X-Forwarded-For X-Request-Id`),
  scrap,
)

const header = fc.oneof(
  fc.tuple(headerName, fc.constantFrom(':', ': ', ' :', ''), scrap).map(parts => parts.join('')),
  fc.constantFrom('Host: a', 'X-Api-Key: key of organization 3'),
)

const method = fc.oneof(
  { weight: 6, arbitrary: oneOf('GET HEAD') },
  oneOf('POST PUT DELETE OPTIONS TRACE PATCH PRI CONNECT get M-SEARCH'),
  latin1(8),
)

const rawTarget = fc.oneof(
  oneOf('/ * a://b // /api/public/v1/ping /api/public/v1/reports/ledger'),
  scrap,
  fc.webUrl(),
  scrap.map(text => `/api/public/v1/${text}`),
  scrap.map(text => `/api/public/v1/reports/ledger?${text}`),
)

const version = fc.oneof(fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', ''), scrap)

/** A request line, headers and an end, each possibly replaced by other bytes. */
export const rawRequest: fc.Arbitrary<Buffer> = fc
  .oneof(
    fc
      .record({
        verb: method,
        target: rawTarget,
        version,
        headers: fc.array(header, { maxLength: 8 }),
        newline: fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r'),
        body: fc.oneof(fc.constant(''), scrap),
      })
      .map(({ verb, target, version, headers, newline, body }) =>
        [`${verb} ${target} ${version}`, ...headers, '', body].join(newline),
      ),
    latin1(400),
  )
  .map(text => Buffer.from(text, 'latin1'))

const date = fc.date({ noInvalidDate: true }).map(instant => instant.toISOString())
const ofAnyYear = { min: new Date('1900-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }

const day = fc.oneof(
  fc.constantFrom('', '2026-01-01', '20260131', '2026-02-30', '1899-12-31', '0000-00-00'),
  fc.date(ofAnyYear).map(instant => instant.toISOString().slice(0, 10)),
  date,
  fc.string({ maxLength: 12 }),
)

const parameter = fc
  .tuple(
    fc.oneof(
      oneOf('from to format preset end codes compare FROM form page _ limit'),
      fc.string({ maxLength: 8 }),
    ),
    fc.oneof(day, oneOf('csv xlsx json excel true previous year'), fc.string({ maxLength: 20 })),
  )
  .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)

const path = fc.oneof(
  oneOf('/ping /reports /metrics /openapi.json /metrics/schema /'),
  fc
    .tuple(
      oneOf('ledger others entries medium nothing'),
      fc.oneof(fc.constant(''), oneOf('.json .csv .ndjson .xlsx .parquet .pdf /schema /')),
    )
    .map(parts => `/reports/${parts.join('')}`),
  fc.string({ maxLength: 20 }).map(text => `/reports/${encodeURIComponent(text)}`),
)

const GOOD_HEADERS = `
  Accept: application/json
  Accept: text/csv;q=0.9, */*;q=0.1
  Accept-Encoding: gzip, br;q=0.5
  Accept-Encoding: zstd
  Accept-Encoding: identity;q=0
  Accept-Language: en-GB, ru;q=0.2
  Cache-Control: no-cache
  Cache-Control: max-age=0
  If-None-Match: *
  If-None-Match: W/"a", "b"
  If-Range: "a"
  Range: bytes=0-99
  Range: bytes=-5
  Range: bytes=99999999-
  Range: bytes=5-1,2-3
  Expect: 100-continue
  X-Request-Id: a.b_c-1`

const goodHeader = fc.oneof(
  fc.constantFrom(...GOOD_HEADERS.trim().split(/\n */)),
  fc
    .tuple(
      oneOf('Accept Cache-Control Range If-None-Match X-Request-Id'),
      fc.string({ maxLength: 40 }),
    )
    .map(([name, value]) => `${name}: ${value.replaceAll(/[^\x20-\x7e]/g, '?')}`),
)

const ownKey = fc.nat(19).map(at => `key of organization ${at + 1}`)
const basic = (key: string): string => Buffer.from(`:${key}`).toString('base64')

const key = fc.oneof(
  { weight: 20, arbitrary: ownKey.map(text => `X-Api-Key: ${text}`) },
  ownKey.map(text => `Authorization: Bearer ${text}`),
  ownKey.map(text => `Authorization: Basic ${basic(text)}`),
  fc.constantFrom('X-Api-Key: key of organization 21', 'X-Api-Key: unknown', 'X-None: a'),
)

/** Valid HTTP, mostly with a request that the API supports. */
export const wellFormedRequest: fc.Arbitrary<Buffer> = fc
  .record({
    verb: fc.oneof({ weight: 12, arbitrary: fc.constant('GET') }, oneOf('HEAD OPTIONS DELETE')),
    path,
    parameters: fc.array(parameter, { maxLength: 3 }),
    key,
    headers: fc.array(goodHeader, { maxLength: 3 }),
  })
  .map(request => {
    const query = request.parameters.length > 0 ? `?${request.parameters.join('&')}` : ''
    const line = `${request.verb} /api/public/v1${request.path}${query} HTTP/1.1`
    const lines = [line, 'Host: a', request.key, ...request.headers, '', '']
    return Buffer.from(lines.join('\r\n'), 'latin1')
  })
