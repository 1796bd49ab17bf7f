import { expect } from 'chai'
import * as fc from 'fast-check'
import type { Fact } from '../../../src/model/observation.ts'
import { PREFIX } from '../../contract/gateways.ts'
import { rawAsker, type RawAnswer, type RawAsk } from '../../harness/ask.ts'
import { metricOf } from '../../harness/exposition.ts'
import { shopsGateway } from '../../harness/shops-gateway.ts'

const anyOf = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts)

/** One of the words of a text; a double blank contains an empty word. */
const wordOf = (...lines: string[]): fc.Arbitrary<string> => anyOf(...lines.join(' ').split(' '))

const periods = wordOf(
  '?from=2026-01-01&to=2026-06-30 ?to=2026-06-30&from=20260101 ?to=2026-06-30 ',
  '?from=2026-01-01T00:00:00%2B03:00 ?from=2026-02-30 ?from=2027-01-01&to=2026-01-01',
  '?colour=red ?_=1 ?from=2026-01-01&utm_=1 ?format=json ?format=docx',
)
const paths = wordOf(
  '/reports/receipts /reports/receipts /reports/receipts.json /reports/receipts_by_month',
  '/reports/receipts.csv /reports/receipts.xlsx',
  '/metrics /metrics /reports/division /reports/no_such /reports /reports/ /ping /nothing',
)
// why: a report with the parameter codes never uses the fast path
const codes = anyOf(...Array<string>(7).fill(''), '&codes=revenue', '&codes=no_such', '&codes=')
const keys = anyOf('key of shop 1', 'key of shop 2', 'disabled key of shop 1', 'key of shop 4')
type Headers = Record<string, string | string[]>
const placements = fc.constantFrom<Array<(key: string) => Headers>>(
  key => ({ 'X-Api-Key': key }),
  key => ({ Authorization: `Bearer ${key}` }),
  key => ({ authorization: `bearer  ${key} ` }),
  key => ({ Authorization: `Basic ${Buffer.from(`:${key}`).toString('base64')}` }),
  key => ({ Authorization: 'Digest x', 'x-api-key': key }),
  () => ({}),
)
const validators = anyOf('none', 'same', 'weak', 'listed', '*', '"other"', 'garbage')
const extras = fc.record(
  {
    Accept: anyOf('*/*', 'application/json', 'text/csv', 'text/html', ''),
    'Accept-Encoding': anyOf('gzip', 'identity', 'br, gzip;q=0.5'),
    'Accept-Language': anyOf('ru', 'en'),
    'If-Modified-Since': fc.constant('Sat, 21 Nov 2026 09:00:00 GMT'),
    Connection: anyOf('keep-alive', 'close'),
  },
  { requiredKeys: [] },
)

/** Requests with `Range` do not use the fast path. */
const others = fc.constantFrom<Headers[]>(
  {},
  {},
  { Cookie: ['a', 'b'], 'X-Request-Id': 'mine' },
  { Range: 'bytes=0-9' },
  { Range: 'bytes=9-' },
  { Expect: 'x' },
  { Accept: ['text/csv', 'application/json'] },
  { 'If-None-Match': ['"a"', '*'] },
)
const isUnusual = (headers: Headers): boolean => 'Range' in headers

const requests = fc.record({
  method: anyOf('GET', 'GET', 'GET', 'HEAD', 'POST'),
  target: fc
    .tuple(paths, periods, codes)
    .map(
      ([path, period, code]) =>
        PREFIX + path + period + (period === '' ? code.replace('&', '?') : code),
    ),
  headers: fc
    .tuple(keys, placements, extras, others)
    .map(([key, place, extra, other]): Headers => ({ ...extra, ...place(key), ...other })),
  validator: validators,
})

/** Requests with ignored parameters have no alias: an ignored parameter may contain a key. */
const IGNORED = /_=1/

/** A header that excludes the fast path without changing the response. */
const EXCLUDE_FAST_PATH = { 'Cache-Control': 'max-age=3600' }

describe('the fast path', () => {
  const world = shopsGateway({ FAST_PATH: 'on' })
  let ask: RawAsk
  before(() => (ask = rawAsker(world.gateway.url)))

  const lastRequest = () =>
    world.gateway.observations.findLast((fact): fact is Fact<'request'> => fact.kind === 'request')

  it('responds to any request as Koa does: status, headers and bytes', async () => {
    let shortcutCount = 0
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, target, headers, validator }) => {
        const first = await ask(target, headers, method)
        const conditional = { ...ifNoneMatch(validator, first), ...headers }
        // The first hit adds an alias, if possible.
        if (first.status === 200) await ask(target, headers, method)
        const short = await ask(target, conditional, method)
        const fact = lastRequest()
        const throughKoa = await ask(target, { ...conditional, ...EXCLUDE_FAST_PATH }, method)
        expect(lastRequest()?.shortcut).to.equal(false)
        expect(comparable(short)).to.deep.equal(comparable(throughKoa))
        if (isUnusual(headers)) expect(fact?.shortcut).to.equal(false)
        else if (fact?.cache === 'hit' && !IGNORED.test(target))
          expect(fact).to.deep.include({ shortcut: true, problem: undefined })
        if (fact?.shortcut === true) shortcutCount += 1
      }),
      { numRuns: 500, seed: 20261121 },
    )
    expect(shortcutCount).to.be.greaterThan(10)
  })

  it('observes a request as Koa does', async () => {
    const target = `${PREFIX}/reports/receipts?from=2026-01-01&to=2026-07-01`
    const headers = { 'X-Api-Key': 'key of shop 1', 'X-Request-Id': 'mine' }
    for (let n = 0; n < 3; n += 1) await ask(target, headers)
    const { durationMs: _short, shortcut, ...short } = lastRequest()!
    await ask(target, { ...headers, ...EXCLUDE_FAST_PATH })
    const { durationMs: _throughKoa, shortcut: none, ...throughKoa } = lastRequest()!
    expect([shortcut, none]).to.deep.equal([true, false])
    expect(short).to.deep.equal(throughKoa)
  })

  it('caches and evicts nothing if one report is requested with varying ignored parameters', async () => {
    const headers = { 'X-Api-Key': 'key of shop 1' }
    const target = `${PREFIX}/reports/receipts?from=2026-01-01&to=2026-07-03`
    await ask(target, headers)
    const cachedBytes = await metricOf(world.gateway, 'svodka_cache_bytes')
    for (let n = 0; n < 100; n += 1) await ask(`${target}&_=${n}`, headers)
    expect(await metricOf(world.gateway, 'svodka_cache_bytes')).to.equal(cachedBytes)
  })

  it('looks up the key for every request, and serves nothing after it is revoked', async () => {
    const target = `${PREFIX}/reports/receipts?from=2026-01-01&to=2026-07-02`
    const headers = { 'X-Api-Key': 'key to revoke' }
    await world.shops.change("insert into shop_keys values (sha256('key to revoke'), 1, false)")
    for (let n = 0; n < 2; n += 1) await ask(target, headers)
    const hit = await ask(target, headers)
    expect(lastRequest()).to.include({ shortcut: true, status: 200 })
    await world.shops.change("delete from shop_keys where hash = sha256('key to revoke')")
    expect((await ask(target, headers)).status).to.equal(401)
    const validated = { ...headers, 'If-None-Match': String(hit.headers.etag) }
    expect((await ask(target, validated)).status).to.equal(401)
  })
})

describe('the fast path at midnight', () => {
  let nowMs = Date.parse('2026-12-31T20:59:59.500Z')
  const world = shopsGateway({ FAST_PATH: 'on' }, { now: () => nowMs })

  it('does not serve the previous year', async () => {
    const ask = rawAsker(world.gateway.url)
    const headers = { 'X-Api-Key': 'key of shop 1' }
    const yearOf = async () => {
      const { bytes } = await ask(`${PREFIX}/reports/receipts`, headers)
      return (JSON.parse(bytes.toString()) as { period: { from: string } }).period.from
    }
    expect([await yearOf(), await yearOf()]).to.deep.equal(['2026-01-01', '2026-01-01'])
    nowMs += 1000
    expect(await yearOf()).to.equal('2027-01-01')
  })
})

function ifNoneMatch(validator: string, { headers }: RawAnswer): Record<string, string> {
  const etag = headers.etag ?? '"none"'
  const values: Record<string, string> = {
    same: etag,
    weak: `W/${etag}`,
    listed: `"a", ${etag}, "b"`,
  }
  return validator === 'none' ? {} : { 'If-None-Match': values[validator] ?? validator }
}

/** Without the parts that differ between requests: date (format checked), durations, generated ids. */
function comparable({ status, headers, bytes }: RawAnswer) {
  expect(new Date(headers.date ?? '').toUTCString()).to.equal(headers.date)
  const { date: _date, 'server-timing': timing, 'x-request-id': id, ...rest } = headers
  return {
    status,
    headers: {
      ...rest,
      timing: timing === undefined ? undefined : String(timing).replaceAll(/[\d.]+/g, '0'),
      id: id === 'mine' ? id : typeof id,
    },
    body: bytes.toString().replace(/"requestId":"[^"]+"/, ''),
  }
}
