import { expect } from 'chai'
import * as fc from 'fast-check'
import type { Observation } from '../../src/observation.ts'
import { rawAsker } from '../support/raw-request.ts'
import type { RawAnswer, RawAsk } from '../support/raw-request.ts'
import { shopsGateway } from '../support/world.ts'

const PREFIX = '/api/public/v1'

const periods = fc.constantFrom(
  '',
  '?from=2026-01-01&to=2026-06-30',
  '?to=2026-06-30&from=20260101',
  '?from=2026-01-01T00:00:00%2B03:00',
  '?from=2026-02-30',
  '?from=2027-01-01&to=2026-01-01',
  '?colour=red',
  '?to=2026-06-30',
  '?format=json',
  '?format=docx',
)
const paths = fc.constantFrom(
  '/reports/receipts',
  '/reports/receipts',
  '/reports/receipts.json',
  '/reports/receipts_by_month',
  '/metrics',
  '/reports/division',
  '/reports/no_such',
  '/reports',
  '/reports/',
  '/metrics',
  '/ping',
  '/nothing',
)
// why: a report that gets codes takes no shortcut
const codes = fc.constantFrom(
  '',
  '',
  '',
  '',
  '',
  '',
  '',
  '&codes=revenue',
  '&codes=no_such',
  '&codes=',
)
const keys = fc.constantFrom(
  'key of shop 1',
  'key of shop 2',
  'disabled key of shop 1',
  'key of shop 4',
)
const placements = fc.constantFrom(
  (key: string) => ({ 'X-Api-Key': key }),
  (key: string) => ({ Authorization: `Bearer ${key}` }),
  (key: string) => ({ authorization: `bearer  ${key} ` }),
  (key: string) => ({ Authorization: `Basic ${Buffer.from(`:${key}`).toString('base64')}` }),
  (key: string) => ({ Authorization: 'Digest x', 'x-api-key': key }),
  () => ({}),
)
const validators = fc.constantFrom('none', 'same', 'weak', 'listed', '*', '"other"', 'garbage')
const extras = fc.record(
  {
    Accept: fc.constantFrom('*/*', 'application/json', 'text/html', ''),
    'Accept-Encoding': fc.constantFrom('gzip', 'identity', 'br, gzip;q=0.5'),
    'Accept-Language': fc.constantFrom('ru', 'en'),
    'If-Modified-Since': fc.constant('Sat, 21 Nov 2026 09:00:00 GMT'),
  },
  { requiredKeys: [] },
)

const others = fc.constantFrom({}, {}, {}, { 'X-Request-Id': 'mine' }, { Range: 'bytes=0-9' })

const requests = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST'),
  target: fc
    .tuple(paths, periods, codes)
    .map(
      ([path, period, code]) =>
        PREFIX + path + period + (period === '' ? code.replace('&', '?') : code),
    ),
  headers: fc
    .tuple(keys, placements, extras, others)
    .map(([key, place, extra, other]): Record<string, string> => ({
      ...extra,
      ...place(key),
      ...other,
    })),
  validator: validators,
})

/** The words of others are not learned: a parameter that is ignored may hold a key. */
function isReadWhole(target: string): boolean {
  const { pathname, searchParams } = new URL(target, 'http://a')
  const own = pathname.endsWith('/metrics') ? 'codes' : 'format'
  return [...searchParams.keys()].every(name => ['from', 'to', own].includes(name))
}

/** Makes a request one that is not plain, and changes nothing of its meaning. */
const ORDINARY = { 'Cache-Control': 'max-age=0' }

describe('the shortcut', () => {
  const world = shopsGateway()
  let ask: RawAsk
  before(() => (ask = rawAsker(world.gateway.url)))
  after(() => ask.close())

  const lastRequest = () =>
    world.gateway.observations.findLast(
      (fact): fact is Extract<Observation, { kind: 'request' }> => fact.kind === 'request',
    )

  it('answers any request as the ordinary way does: status, headers and bytes', async function () {
    this.timeout(60_000)
    let taken = 0
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, target, headers, validator }) => {
        const first = await ask(target, headers, method)
        const asked = { ...headers, ...ifNoneMatch(validator, first) }
        // The words are learned by now, if they can be.
        const short = await ask(target, asked, method)
        const way = lastRequest()
        const ordinary = await ask(target, { ...asked, ...ORDINARY }, method)
        expect(lastRequest()?.shortcut).to.equal(false)
        expect(comparable(short)).to.deep.equal(comparable(ordinary))
        if (way?.cache === 'hit' && headers['Range'] === undefined && isReadWhole(target))
          expect(way).to.deep.include({ shortcut: true, problem: undefined })
        if (way?.shortcut === true) taken += 1
      }),
      { numRuns: 500, seed: 20261121 },
    )
    expect(taken).to.be.greaterThan(20)
  })

  it('observes a request as the ordinary way does', async () => {
    const target = `${PREFIX}/reports/receipts?to=2026-07-01`
    const headers = { 'X-Api-Key': 'key of shop 1', 'X-Request-Id': 'mine' }
    await ask(target, headers)
    await ask(target, headers)
    const { durationMs: _short, shortcut, ...short } = lastRequest()!
    await ask(target, { ...headers, ...ORDINARY })
    const { durationMs: _ordinary, shortcut: none, ...ordinary } = lastRequest()!
    expect([shortcut, none]).to.deep.equal([true, false])
    expect(short).to.deep.equal(ordinary)
  })

  it('keeps no more answers, and pushes none out, when the same is asked in ever other words', async () => {
    const headers = { 'X-Api-Key': 'key of shop 1' }
    const target = `${PREFIX}/reports/receipts?to=2026-07-03`
    await ask(target, headers)
    const kept = await keptBytes(world.gateway.opsUrl)
    for (let n = 0; n < 100; n += 1) await ask(`${target}&_=${n}`, headers)
    expect(await keptBytes(world.gateway.opsUrl)).to.equal(kept)
  })

  it('looks the key up for every request, and serves nothing once it is revoked', async () => {
    const target = `${PREFIX}/reports/receipts?to=2026-07-02`
    const headers = { 'X-Api-Key': 'key to revoke' }
    await world.shops.change("insert into shop_keys values (sha256('key to revoke'), 1, false)")
    await ask(target, headers)
    const hit = await ask(target, headers)
    expect(lastRequest()).to.include({ shortcut: true, status: 200 })
    await world.shops.change("delete from shop_keys where hash = sha256('key to revoke')")
    expect((await ask(target, headers)).status).to.equal(401)
    const validated = { ...headers, 'If-None-Match': String(hit.headers.etag) }
    expect((await ask(target, validated)).status).to.equal(401)
  })
})

describe('the shortcut at midnight', () => {
  let nowMs = Date.parse('2026-12-31T20:59:59.500Z')
  const world = shopsGateway({}, () => nowMs)

  it('does not answer with the year that has ended', async () => {
    const ask = rawAsker(world.gateway.url)
    const headers = { 'X-Api-Key': 'key of shop 1' }
    const yearOf = async () => {
      const { bytes } = await ask(`${PREFIX}/reports/receipts`, headers)
      return (JSON.parse(bytes.toString()) as { period: { from: string } }).period.from
    }
    try {
      expect([await yearOf(), await yearOf()]).to.deep.equal(['2026-01-01', '2026-01-01'])
      nowMs += 1000
      expect(await yearOf()).to.equal('2027-01-01')
    } finally {
      ask.close()
    }
  })
})

async function keptBytes(opsUrl: string): Promise<string | undefined> {
  const exposition = await (await fetch(`${opsUrl}/metrics`)).text()
  return /^svodka_cache_bytes .*$/m.exec(exposition)?.[0]
}

function ifNoneMatch(validator: string, { headers }: RawAnswer): Record<string, string> {
  const etag = headers.etag ?? '"none"'
  switch (validator) {
    case 'none':
      return {}
    case 'same':
      return { 'If-None-Match': etag }
    case 'weak':
      return { 'If-None-Match': `W/${etag}` }
    case 'listed':
      return { 'If-None-Match': `"a", ${etag}, "b"` }
    default:
      return { 'If-None-Match': validator }
  }
}

/** Without what differs between any two requests: the moment, how long it took, an id of ours. */
function comparable({ status, headers, bytes }: RawAnswer) {
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
