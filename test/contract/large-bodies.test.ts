// Bodies that are too large for memory are written to files: complete before their first byte, and shared.
import { readdirSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { expectProblem, rawAsker, type Ask, type RawAnswer } from '../harness/ask.ts'
import { executingPids, run, sharedShops, untilExecuting } from '../harness/shops.ts'
import { gatewaysOfTests, shopsGateway } from '../harness/shops-gateway.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import {
  coldPath,
  FLOOD,
  folderWithHeldReport,
  holdReports,
  inFlight,
  openResponse,
  PREFIX,
  shopsFolder,
  SMALL_FLOOD,
  spooledBytes,
} from './gateways.ts'
import { registerOf } from './register.ts'

const KEY = { 'X-Api-Key': 'key of shop 1' }
const GZIP = { 'Accept-Encoding': 'gzip' }
const limits = { maxCachedBytes: 65_536 }
/** About 3.4 MB. */
const ROWS = 20_000

/** Resolves when the client has got all that the network buffers, and no more. */
async function pausedReader(reader: Promise<IncomingMessage>): Promise<IncomingMessage> {
  const response = await reader
  response.pause()
  return response
}

describe('a body that is too large for memory', () => {
  const spoolFolder = temporaryFolder()
  const { TMPDIR } = process.env
  before(() => void (process.env['TMPDIR'] = spoolFolder))
  const world = shopsGateway({}, { limits })
  const { ask } = world
  before(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  })
  const raw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    rawAsker(world.gateway.url)(`${PREFIX}${path}`, { ...KEY, ...headers }, method)
  const executionCount = () =>
    world.gateway.observations.filter(({ kind }) => kind === 'execution').length

  it('is executed once for several clients and later ones, with its length and a strong ETag', async () => {
    const before = executionCount()
    const read = () => ask('/reports/register', { headers: { 'Accept-Encoding': 'identity' } })
    const responses = [...(await Promise.all([read(), read()])), await read()]
    expect(executionCount() - before).to.equal(1)
    for (const { status, headers, text, json } of responses) {
      expect(status).to.equal(200)
      expect(headers.get('ETag')).to.match(/^"[\w-]{27}"$/)
      expect(headers.get('ETag')).to.equal(responses[0]!.headers.get('ETag'))
      expect(headers.get('Content-Length')).to.equal(String(Buffer.byteLength(text)))
      expect(json.rows).to.have.length(100_000)
      const last = { name: '100000', value: 100_000, text: 'ш'.repeat(30) }
      expect(json.rows.at(-1)).to.deep.equal(last)
      expect(json.totals).to.deep.equal({ name: 'Итого', value: 5_000_050_000, text: null })
      expect(json.summary).to.match(/100.000 строк/)
    }
    const statuses = responses.map(({ headers }) => headers.get('Cache-Status'))
    expect(statuses.slice(0, 2)).to.have.members([
      'svodka; fwd=miss; stored',
      'svodka; fwd=miss; stored; collapsed',
    ])
    expect(statuses[2]).to.match(/^svodka; hit; ttl=\d+$/)
    expect(readdirSync(spoolFolder), 'files are unlinked').to.deep.equal([])
    await until(async () => (await spooledBytes(world.gateway)) === 0)
  })

  it('has the headers of GET for HEAD, and 304 for its ETag, with and without gzip', async () => {
    for (const accepted of [{}, GZIP]) {
      const get = await raw('/reports/register', accepted)
      const { date: _date, ...headers } = get.headers
      const head = await raw('/reports/register', accepted, 'HEAD')
      for (const name of ['etag', 'content-length', 'content-encoding', 'accept-ranges']) {
        expect(head.headers[name], name).to.equal(headers[name])
      }
      const condition = { ...accepted, 'If-None-Match': get.headers.etag! }
      const notModified = await raw('/reports/register', condition)
      expect([notModified.status, notModified.bytes.length]).to.deep.equal([304, 0])
    }
  })

  it('is compressed on the way, without length and range; a range of it is of the uncompressed bytes', async () => {
    const whole = await raw('/reports/register')
    const compressed = await raw('/reports/register', GZIP)
    expect(compressed.headers).to.include({ 'content-encoding': 'gzip' })
    expect(compressed.headers).to.not.have.any.keys('content-length', 'accept-ranges')
    expect(compressed.headers.etag).to.match(/^"[\w-]{27}-gzip-1-\w+"$/)
    expect(gunzipSync(compressed.bytes).equals(whole.bytes)).to.equal(true)
    const part = await raw('/reports/register', { ...GZIP, Range: 'bytes=5000000-5000099' })
    expectPart(part, whole, 5_000_000, 5_000_100)
    expect(part.headers['content-encoding']).to.equal(undefined)
  })

  it('is resumed by Range with If-Match or If-Range', async () => {
    const whole = await raw('/reports/register')
    const { length } = whole.bytes
    const etag = whole.headers.etag!
    const rest = { Range: 'bytes=1000000-' }
    for (const name of ['If-Match', 'If-Range']) {
      const part = await raw('/reports/register', { ...rest, [name]: etag })
      expectPart(part, whole, 1_000_000, length)
      const nothing = await raw('/reports/register', { Range: `bytes=${length}-`, [name]: etag })
      expect(nothing.headers['content-range']).to.equal(`bytes */${length}`)
      expect(nothing.status).to.equal(416)
    }
    const other = await raw('/reports/register', { ...rest, 'If-Range': '"other"' })
    expect([other.status, other.bytes.equals(whole.bytes)]).to.deep.equal([200, true])
    expect((await raw('/reports/register', { ...rest, 'If-Match': '"other"' })).status).to.equal(
      412,
    )
    expect((await raw('/reports/register', rest)).status).to.equal(428)
    await until(async () => (await spooledBytes(world.gateway)) === 0)
  })

  it('occupies no connection while its clients do not read, and is complete when they continue', async () => {
    const readers = await Promise.all(
      [1, 2].map(() => pausedReader(openResponse(world.gateway, '/reports/register'))),
    )
    await untilExecuting(world.shops, 0)
    expect(await spooledBytes(world.gateway)).to.be.greaterThan(5_000_000)
    for (const reader of readers) expect(JSON.parse(await textOf(reader)).rows).to.have.length(1e5)
    await until(async () => (await spooledBytes(world.gateway)) === 0)
  })

  function expectPart(part: RawAnswer, whole: RawAnswer, start: number, end: number): void {
    const { length } = whole.bytes
    expect(part.status).to.equal(206)
    expect(part.headers['content-range']).to.equal(`bytes ${start}-${end - 1}/${length}`)
    expect(part.bytes.equals(whole.bytes.subarray(start, end))).to.equal(true)
  }
})

describe('the space for large bodies', () => {
  const start = gatewaysOfTests()
  const SQL_DIR = shopsFolder({
    [FLOOD]: SMALL_FLOOD[FLOOD].replaceAll('20000', '12000'),
    'reports/sales/large.sql': registerOf(ROWS),
    'reports/sales/workbook.sql': registerOf(ROWS / 4),
  })
  const pathOf = (day: number): string => `/reports/flood.csv?from=2027-01-01&to=2027-01-0${day}`
  const isHit = async (ask: Ask, path: string): Promise<boolean> =>
    (await ask(path, { method: 'HEAD' })).headers.get('Cache-Status')!.includes('hit')

  it('is taken from the least recently used file that nobody reads', async () => {
    // half of it for one organization, which is two files
    const { gateway, ask } = await start({ SQL_DIR, SPOOL_MAX_BYTES: '58MiB' }, { limits })
    for (const day of [1, 2]) expect(await isHit(ask, pathOf(day))).to.equal(false)
    expect(await isHit(ask, pathOf(1))).to.equal(true)
    expect(await isHit(ask, pathOf(3))).to.equal(false)
    expect(await isHit(ask, pathOf(2)), 'the least recently used').to.equal(false)
    expect(await isHit(ask, pathOf(3))).to.equal(true)

    const readers = await Promise.all(
      [2, 3].map(day => pausedReader(openResponse(gateway, pathOf(day)))),
    )
    const refused = await ask(pathOf(4))
    expect([refused.status, refused.json.code]).to.deep.equal([503, 'overloaded'])
    expect(refused.headers.get('Retry-After')).to.equal('10')
    expect(gateway.observations.findLast(({ kind }) => kind === 'execution')).to.include({
      outcome: 'spool_full',
    })
    expect((await ask(pathOf(4), { key: 'key of shop 2' })).status).to.equal(200)
    for (const reader of readers) expect((await textOf(reader)).split('\n')).to.have.length(12_002)
    expect((await ask(pathOf(4))).status).to.equal(200)
  })

  it('is not taken by another representation: what did not end in time is not compressed again', async () => {
    const folder = shopsFolder({ 'reports/sales/large.sql': registerOf(130_000) })
    const slow = { limits: { ...limits, longestDownloadMs: 500 } }
    const { gateway } = await start({ SQL_DIR: folder }, slow)
    const codingOf = async (method: string, key = 'key of shop 1') => {
      const headers = { 'X-Api-Key': key, ...GZIP }
      const reader = await pausedReader(
        openResponse(gateway, '/reports/large.csv', headers, method),
      )
      await until(async () => (await inFlight(gateway)) === 0)
      return reader.headers['content-encoding']
    }
    expect(await codingOf('GET')).to.equal('gzip')
    expect(await codingOf('HEAD'), 'so that it can be continued').to.equal(undefined)
    expect(await codingOf('HEAD', 'key of shop 2')).to.equal('gzip')
  })

  it('is written by two loads at a time, and the others end, too', async () => {
    const options = { SQL_DIR, REPORT_POOL_SIZE: '3', QUEUE_TIMEOUT: '20s' }
    const { gateway, ask } = await start(options, { limits })
    const keys = [1, 2, 3].map(shop => `key of shop ${shop}`)
    const executed = (wanted: string) =>
      gateway.observations.filter(one => one.kind === 'execution' && one.outcome === wanted).length
    let begunTwice: number | undefined
    for (const headers of [{}, { 'Cache-Control': 'no-cache' }]) {
      const responses = await Promise.all(
        keys.flatMap(key =>
          [1, 2, 3].map(day =>
            ask(`/reports/workbook.xlsx?from=2027-01-01&to=2027-01-0${day}`, { key, headers }),
          ),
        ),
      )
      expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([200]))
      for (const { headers: ofBody } of responses)
        expect(Number(ofBody.get('Content-Length'))).to.be.greaterThan(limits.maxCachedBytes)
      begunTwice ??= executed('cancelled')
    }
    expect(executed('ok')).to.equal(18)
    expect(executed('cancelled'), 'none once they are known as large').to.equal(begunTwice)
    expect(await spooledBytes(gateway)).to.equal(0)
  })

  const HELD_DIR = folderWithHeldReport({
    'reports/sales/waits.sql': registerOf(8000, {
      units: 'case n when 8000 then hold(0) else n end',
    }),
    'reports/sales/large.sql': registerOf(1000),
  })

  it('is waited for without a slot, by organizations in turn, and not for loads that failed', async () => {
    const { gateway, ask } = await start({ SQL_DIR: HELD_DIR, REPORT_POOL_SIZE: '3' }, { limits })
    const shops = await sharedShops()
    const release = await holdReports(shops)
    const held = [1, 2].map(day => ask(`/reports/waits?from=2027-01-01&to=2027-01-0${day}`))
    await until(async () => (await spooledBytes(gateway)) > 1_000_000)
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, day) =>
        ask(coldPath('large', from + day), { key: 'key of shop 2' }),
      )
    const cancelled = () =>
      gateway.observations.filter(one => one.kind === 'execution' && one.outcome === 'cancelled')
    const first = many(0, 1)
    await until(() => cancelled().length === 1)
    const others = many(1, 73)
    const ofAnother = ask('/reports/large', { key: 'key of shop 3' })
    await until(() => cancelled().length === 2)
    expect((await ask('/reports/receipts', { key: 'key of shop 3' })).status).to.equal(200)
    await run(
      shops.replicaUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'svodka reports' and query like '%waits%'`,
    )
    await release()
    const responses = await Promise.all([...held, ofAnother, ...first, ...others])
    const refused = responses.filter(({ status }) => status !== 200)
    expect(refused.map(({ json }) => json.code)).to.deep.equal(Array(10).fill('rate_limited'))
    const ends = gateway.observations.flatMap(one =>
      one.kind === 'request' && one.report === 'large' && one.status === 200
        ? [one.organizationId]
        : [],
    )
    expect(ends.indexOf('3'), 'before most of the others').to.be.within(0, 10)
  })

  it('adds to that of the cache, so that a body of any length is cached, with and without gzip', async () => {
    // 0.97 MB
    const folder = shopsFolder({ 'reports/sales/large.sql': registerOf(5812) })
    for (const cache of [
      { CACHE_MAX_BYTES: '4KiB' },
      { CACHE_MAX_BYTES: '4MiB' },
      { CACHE_MAX_BYTES: '8MiB' },
      { CACHE_MAX_BYTES: '8320KiB', CACHE_MAX_ENTRY_BYTES: '1MiB' },
    ]) {
      const { gateway } = await start({ SQL_DIR: folder, ...cache })
      const raw = rawAsker(gateway.url)
      for (const accepted of [{}, {}, GZIP, GZIP, {}]) {
        const { bytes } = await raw(`${PREFIX}/reports/large`, { ...KEY, ...accepted })
        expect(bytes.length).to.be.greaterThan(400_000)
      }
      const executions = gateway.observations.filter(({ kind }) => kind === 'execution')
      expect(executions, cache.CACHE_MAX_BYTES).to.have.length(1)
    }
  })

  it('is not enough for a body that is larger than half of it, or if there is none', async () => {
    for (const SPOOL_MAX_BYTES of ['5MiB', '0']) {
      const { gateway, ask } = await start({ SQL_DIR, SPOOL_MAX_BYTES }, { limits })
      expectProblem(await ask('/reports/large'), 400, 'result_too_large')
      expect((await ask('/reports/receipts')).status).to.equal(200)
      expect(await spooledBytes(gateway)).to.equal(0)
    }
  })
})

const FORMATS = ['json', 'ndjson', 'csv', 'csv?preset=excel&', 'xlsx', 'parquet']

describe('an execution that fails after most of a large body', () => {
  const reportOf = (lastAmount: string): string =>
    registerOf(ROWS, {
      units: `case n when ${ROWS} - 1 then hold(:organization_id) else n end`,
      amount: `case n when ${ROWS} then ${lastAmount} else n end`,
    })
  const SQL_DIR = folderWithHeldReport({
    'reports/sales/lost.sql': reportOf('n'),
    'reports/sales/wrong.sql': reportOf('0.5'),
    'reports/sales/divided.sql': reportOf('fail(:organization_id)'),
    'reports/sales/late.sql': reportOf('n').replace('timeout: 20s', 'timeout: 1s'),
  })
  const world = shopsGateway({ SQL_DIR }, { limits })

  const CASES = [
    ['lost', 503, 'replica_unavailable', FORMATS],
    ['wrong', 500, 'internal_error', FORMATS],
    ['divided', 500, 'internal_error', ['json']],
    ['late', 504, 'report_timeout', ['csv', 'xlsx']],
  ] as const
  for (const [report, status, code, formats] of CASES) {
    for (const format of formats) {
      it(`is a problem: ${report}.${format.replaceAll(/[?&]/g, ' ').trim()}`, async () => {
        const release = await holdReports(world.shops)
        const path = `/reports/${report}.${format}${format.includes('?') ? '' : '?'}from=2027-01-01&to=2027-02-01`
        const responses: Array<Awaited<ReturnType<Ask>>> = []
        void world.ask(path, { headers: GZIP }).then(response => responses.push(response))
        await untilExecuting(world.shops, 1)
        if (report !== 'lost' && report !== 'late') await release()
        const response = await until(async () => {
          // why: the execution is retried on another connection
          if (report === 'lost') await terminate()
          return responses[0]
        })
        await release()
        expect([response.status, response.json.code]).to.deep.equal([status, code])
        await untilExecuting(world.shops, 0)
        await until(async () => (await inFlight(world.gateway)) === 0)
        expect(await spooledBytes(world.gateway)).to.equal(0)
      })
    }
  }

  /** Terminates all backends that execute reports. */
  async function terminate(): Promise<void> {
    for (const pid of await executingPids(world.shops)) {
      await run(world.shops.replicaUrl, `select pg_terminate_backend(${pid})`)
    }
  }
})

async function textOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
