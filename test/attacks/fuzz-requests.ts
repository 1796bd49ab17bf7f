// What the fuzzer sends: bytes that are nearly HTTP, and HTTP that is nearly a request of the API.
import * as fc from 'fast-check'

const KEY = 'X-Api-Key: key of organization 3'

const latin1 = (maxLength: number): fc.Arbitrary<string> =>
  fc.uint8Array({ maxLength }).map(bytes => Buffer.from(bytes).toString('latin1'))

/** What breaks parsers: long runs, separators, escapes, and words of the protocol in the wrong place. */
const scrap: fc.Arbitrary<string> = fc.oneof(
  latin1(20),
  fc.constantFrom(
    '',
    ' ',
    '\t',
    ',',
    ';',
    '"',
    '\\',
    '%',
    '%00',
    '%ff',
    '\0',
    '\x7f',
    '\xff',
    '../',
    'HTTP/1.1',
  ),
  fc
    .tuple(fc.constantFrom(' ', ',', '"', '\\', '%2', 'a=', ';q=', '\xff'), fc.nat(2000))
    .map(([text, count]) => text.repeat(count)),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'NaN', '-0', '1e999', '9'.repeat(400)),
)

const headerName = fc.oneof(
  fc.constantFrom(
    'Accept',
    'Accept-Encoding',
    'Accept-Language',
    'Authorization',
    'Cache-Control',
    'Connection',
    'Content-Length',
    'Cookie',
    'Expect',
    'Host',
    'If-Match',
    'If-Modified-Since',
    'If-None-Match',
    'If-Range',
    'Min-Data-As-Of',
    'Origin',
    'Range',
    'TE',
    'Traceparent',
    'Transfer-Encoding',
    'Upgrade',
    'X-Api-Key',
    'X-Forwarded-For',
    'X-Request-Id',
  ),
  scrap,
)

const header: fc.Arbitrary<string> = fc
  .tuple(headerName, fc.constantFrom(':', ': ', ' :', ''), scrap)
  .map(parts => parts.join(''))

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('GET', 'HEAD') },
  fc.constantFrom(
    'POST',
    'PUT',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PATCH',
    'PRI',
    'CONNECT',
    'get',
    'M-SEARCH',
  ),
  latin1(8),
)

const rawTarget = fc.oneof(
  fc.constantFrom('/', '*', 'a://b', '//', '/api/public/v1/ping', '/api/public/v1/reports/ledger'),
  scrap,
  fc.webUrl(),
  scrap.map(text => `/api/public/v1/${text}`),
  scrap.map(text => `/api/public/v1/reports/ledger?${text}`),
)

/** A request line, headers and an end, any of which may be something else. */
export const rawRequest: fc.Arbitrary<Buffer> = fc
  .oneof(
    fc
      .record({
        method,
        target: rawTarget,
        version: fc.oneof(
          fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', ''),
          scrap,
        ),
        headers: fc.array(fc.oneof(header, fc.constantFrom('Host: a', KEY)), { maxLength: 8 }),
        newline: fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r'),
        body: fc.oneof(fc.constant(''), scrap),
      })
      .map(({ method: verb, target, version, headers, newline, body }) =>
        [`${verb} ${target} ${version}`, ...headers, '', body].join(newline),
      ),
    latin1(400),
  )
  .map(text => Buffer.from(text, 'latin1'))

const day = fc.oneof(
  fc.constantFrom(
    '2026-01-01',
    '20260131',
    '2026-02-30',
    '1899-12-31',
    '3000-01-01',
    '0000-00-00',
    '',
  ),
  fc
    .date({ min: new Date('1900-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
    .map(date => date.toISOString().slice(0, 10)),
  fc.date({ noInvalidDate: true }).map(date => date.toISOString()),
  fc.string({ maxLength: 12 }),
)

const parameter = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(
        'from',
        'to',
        'format',
        'preset',
        'end',
        'codes',
        'compare',
        'FROM',
        'form',
        'page',
        '_',
        'limit',
      ),
      fc.string({ maxLength: 8 }),
    ),
    fc.oneof(
      day,
      fc.constantFrom('csv', 'xlsx', 'json', 'excel', 'true', 'previous', 'year'),
      fc.string({ maxLength: 20 }),
    ),
  )
  .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)

const path = fc.oneof(
  fc.constantFrom(
    '/ping',
    '/reports',
    '/metrics',
    '/openapi.json',
    '/periods',
    '/metrics/schema',
    '/',
  ),
  fc
    .tuple(
      fc.constantFrom('ledger', 'others', 'entries', 'medium', 'nothing'),
      fc.constantFrom(
        '',
        '.json',
        '.csv',
        '.ndjson',
        '.xlsx',
        '.parquet',
        '.pdf',
        '/schema',
        '/periods',
        '/',
      ),
    )
    .map(parts => `/reports/${parts.join('')}`),
  fc.string({ maxLength: 20 }).map(text => `/reports/${encodeURIComponent(text)}`),
)

const goodHeader = fc.oneof(
  fc.constantFrom(
    'Accept: application/json',
    'Accept: text/csv;q=0.9, */*;q=0.1',
    'Accept-Encoding: gzip, br;q=0.5',
    'Accept-Encoding: zstd',
    'Accept-Encoding: identity;q=0',
    'Accept-Language: en-GB, ru;q=0.2',
    'Cache-Control: no-cache',
    'Cache-Control: max-age=0',
    'If-None-Match: *',
    'If-None-Match: W/"a", "b"',
    'If-Range: "a"',
    'Range: bytes=0-99',
    'Range: bytes=-5',
    'Range: bytes=99999999-',
    'Range: bytes=5-1,2-3',
    'Expect: 100-continue',
    'Min-Data-As-Of: 2026-01-01T00:00:00Z',
    'X-Request-Id: a.b_c-1',
  ),
  fc
    .tuple(
      fc.constantFrom(
        'Accept',
        'Cache-Control',
        'Range',
        'If-None-Match',
        'X-Request-Id',
        'Min-Data-As-Of',
      ),
      fc.string({ maxLength: 40 }),
    )
    .map(([name, value]) => `${name}: ${value.replaceAll(/[^\x20-\x7e]/g, '?')}`),
)

const key = fc.oneof(
  { weight: 20, arbitrary: fc.nat(19).map(at => `X-Api-Key: key of organization ${at + 1}`) },
  fc.nat(19).map(at => `Authorization: Bearer key of organization ${at + 1}`),
  fc
    .nat(19)
    .map(
      at =>
        `Authorization: Basic ${Buffer.from(`:key of organization ${at + 1}`).toString('base64')}`,
    ),
  fc.constantFrom('X-Api-Key: key of organization 21', 'X-Api-Key: unknown', 'X-None: a'),
)

/** Valid HTTP, and mostly a request that the API knows. */
export const wellFormedRequest: fc.Arbitrary<Buffer> = fc
  .record({
    verb: fc.oneof(
      { weight: 12, arbitrary: fc.constant('GET') },
      fc.constantFrom('HEAD', 'OPTIONS', 'DELETE'),
    ),
    path,
    parameters: fc.array(parameter, { maxLength: 3 }),
    key,
    headers: fc.array(goodHeader, { maxLength: 3 }),
  })
  .map(request => {
    const query = request.parameters.length > 0 ? `?${request.parameters.join('&')}` : ''
    const line = `${request.verb} /api/public/v1${request.path}${query} HTTP/1.1`
    return Buffer.from(
      [line, 'Host: a', request.key, ...request.headers, '', ''].join('\r\n'),
      'latin1',
    )
  })
