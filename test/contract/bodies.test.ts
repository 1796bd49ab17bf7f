// The bytes of a report are equal for all ways of delivery; incomplete bodies are recognizable, and disconnected clients
// end executions.
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip, gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { Coding } from '../../src/serve/report/gzip.ts'
import { ask10 } from '../harness/http-1.0.ts'
import type { TestGateway } from '../harness/in-process-gateway.ts'
import { until } from '../harness/until.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import {
  folderWithHeldReport,
  holdReports,
  inFlight,
  metricOf,
  PREFIX,
  spooledBytes,
  untilExecuting,
} from './gateways.ts'

const ROWS = 3000

/** A report with all column types. @param units SQL for a column that is evaluated row by row */
const reportOf = (units: string): string => `/*---
title: Реестр
columns:
  name: { title: Имя, type: text }
  day: { title: День, type: date }
  month: { title: Месяц, type: month }
  at: { title: Когда, type: datetime }
  units: { title: Штук, type: integer }
  weight: { title: Вес, type: number }
  amount: { title: Сумма, type: money }
  share: { title: Доля, type: percent }
key: [name]
summary: За {period} {row_count} строк.
maxRows: 100000
timeout: 20s
shared: true
---*/
select n = 0 as is_total, case n when 0 then ${ROWS}::bigint end as row_count, name, day,
  to_char(day, 'YYYY-MM') as month, at, ${units} as units, n / 8.0 as weight,
  n * 12345678901::bigint as amount, n / 10.0 as share
from (
  select n, 'Имя "' || n || '"' as name, date '2020-01-01' + n as day,
    timestamptz '2026-01-01 00:00:00.25Z' + n * interval '1 s' as at, :organization_id as shop
  from generate_series(0, ${ROWS}) as n
) as register
order by is_total desc, at
limit ${ROWS} + 1
`
const WHOLE = 'n'
// why: with a limit, expensive functions are evaluated after sorting, row by row
const BREAKS = `case n when ${ROWS} then fail(hold(shop)) else n end`
const HELD = `case n when ${ROWS} then hold(shop) else n end`

const TEXT_FORMATS = ['json', 'ndjson', 'csv', 'csv?preset=excel&', 'ndjson?end=true&']
const REPRESENTATIONS: ReadonlyArray<readonly [format: string, coding: Coding]> = [
  ...['xlsx', 'parquet', ...TEXT_FORMATS].map(format => [format, 'identity'] as const),
  ['json', 'gzip'],
  ['csv', 'gzip'],
]

const decode = (bytes: Buffer, coding: Coding): Buffer =>
  coding === 'gzip' ? gunzipSync(bytes) : bytes

describe('the body of a report', function () {
  this.timeout(60_000)
  const SQL_DIR = folderWithHeldReport({
    'reports/sales/whole.sql': reportOf(WHOLE),
    'reports/sales/breaks.sql': reportOf(BREAKS),
    'reports/sales/waits.sql': reportOf(HELD),
  })
  const cached = shopsGateway({ SQL_DIR }, { limits: { maxCachedBytes: 16_777_216 } })
  const streaming = shopsGateway({ SQL_DIR }, { limits: { maxCachedBytes: 65_536 } })

  /** Resolves when the head has arrived; the body is not read. */
  function open(
    { url }: TestGateway,
    path: string,
    coding: Coding,
    more: Readonly<Record<string, string>> = {},
  ): Promise<IncomingMessage> {
    const headers = { 'X-Api-Key': 'key of shop 1', 'Accept-Encoding': coding, ...more }
    return new Promise((resolve, reject) => {
      get(`${url}${PREFIX}${path}`, { headers, agent: false }, resolve).on('error', reject)
    })
  }
  const noCache = { 'Cache-Control': 'no-cache' }

  for (const [day, [format, coding]] of REPRESENTATIONS.entries()) {
    const name = `${format.replaceAll(/[?&]/g, ' ').trim()} in ${coding}`
    // why: a period of its own, since the negative cache remembers failures
    const pathOf = (report: string): string =>
      `/reports/${report}.${format}${format.includes('?') ? '' : '?'}to=2027-01-${10 + day}`

    it(`is equal when cached, streamed and sent by HTTP/1.0: ${name}`, async () => {
      const path = pathOf('whole')
      const plain = await buffer(await open(cached.gateway, path, 'identity', noCache))
      const response = await open(cached.gateway, path, coding, noCache)
      const { headers } = response
      const bytes = await buffer(response)
      expect(headers['content-encoding'] ?? 'identity').to.equal(coding)
      expect(headers['content-length']).to.equal(String(bytes.length))
      expect(decode(bytes, coding).equals(plain)).to.equal(true)
      if (coding !== 'identity') expect(bytes.length).to.be.lessThan(plain.length / 4)

      const hit = await open(cached.gateway, path, coding)
      expect(hit.headers['cache-status']).to.match(/^svodka; hit;/)
      expect([hit.headers.etag, await buffer(hit)]).to.deep.equal([headers.etag, bytes])

      const streamed = await open(streaming.gateway, path, coding)
      expect(streamed.headers).to.not.have.any.keys('etag', 'accept-ranges')
      expect(streamed.headers['content-encoding'] ?? 'identity').to.equal(coding)
      // why: Parquet is written in row groups, and this report has one
      if (format !== 'parquet') expect(streamed.headers['transfer-encoding']).to.equal('chunked')
      expect(decode(await buffer(streamed), coding).equals(plain)).to.equal(true)

      const url = `${streaming.gateway.url}${PREFIX}${path}`
      const old = await ask10(url, { 'X-Api-Key': 'key of shop 1', 'Accept-Encoding': coding })
      expect(old.headers.get('content-length')).to.equal(String(plain.length))
      expect(old.body.equals(plain)).to.equal(true)
      // why: a workbook names the minute of its data, which may be another one for the next execution
    }).retries(format.startsWith('xlsx') ? 1 : 0)

    if (format === 'parquet') continue

    it(`is incomplete if the execution fails after its first bytes: ${name}`, async () => {
      const release = await holdReports(streaming.shops)
      const response = await open(streaming.gateway, pathOf('breaks'), coding)
      expect(response.statusCode).to.equal(200)
      // why: a reset may discard bytes that were not read yet
      const { bytes, isWhole } = await readAll(response, release)
      expect(isWhole, 'the connection is reset').to.equal(false)
      expect(bytes.length).to.be.greaterThan(0)
      if (coding === 'gzip') expect(() => gunzipSync(bytes)).to.throw('unexpected end of file')
    })

    it(`cancels its execution if the client disconnects in the middle: ${name}`, async () => {
      await holdReports(streaming.shops)
      const before = streaming.gateway.observations.length
      const response = await open(streaming.gateway, pathOf('waits'), coding)
      if (format !== 'xlsx') await firstRows(response, coding)
      response.on('error', () => {}).destroy()
      const observed = () => streaming.gateway.observations.slice(before)
      const execution = await until(() => observed().find(({ kind }) => kind === 'execution'))
      expect(execution).to.include({ outcome: 'cancelled' })
      const request = await until(() => observed().find(({ kind }) => kind === 'request'))
      expect(request).to.include({ status: 200, aborted: true })
      await untilExecuting(streaming.shops, 0)
      expect(await inFlight(streaming.gateway)).to.equal('0')
      expect(await spooledBytes(streaming.gateway)).to.equal(0)
    })
  }

  const cachedBytes = async () => Number(await metricOf(cached.gateway, 'svodka_cache_bytes '))

  it('is compressed on first demand, and cached and counted with its gzip', async () => {
    const path = '/reports/whole.json?to=2027-03-01'
    await buffer(await open(cached.gateway, path, 'identity'))
    const before = await cachedBytes()
    const ask = async () => buffer(await open(cached.gateway, path, 'gzip'))
    const [one, other] = await Promise.all([ask(), ask()])
    expect([other, await ask()]).to.deep.equal([one, one])
    expect(await cachedBytes()).to.equal(before + one.length)
  })

  it('is not compressed for 304', async () => {
    const path = '/reports/whole.json?to=2027-03-02'
    const { etag } = (await open(cached.gateway, path, 'gzip')).resume().headers
    await buffer(await open(cached.gateway, path, 'identity', noCache))
    const before = await cachedBytes()
    const condition = { 'If-None-Match': etag! }
    const response = await open(cached.gateway, path, 'gzip', condition)
    const { statusCode, headers } = response.resume()
    expect([statusCode, headers.etag]).to.deep.equal([304, etag])
    expect(await cachedBytes()).to.equal(before)
  })

  it('has a different strong ETag in each representation, equal for equal bytes', async () => {
    const etags = new Set<string | undefined>()
    for (const [format, coding] of REPRESENTATIONS) {
      const path = `/reports/whole.${format}`
      const [first, again] = [
        await open(cached.gateway, path, coding),
        await open(cached.gateway, path, coding, noCache),
      ].map(response => response.resume().headers.etag)
      expect(first).to.match(/^"[\w-]+"$/)
      expect(again).to.equal(first)
      etags.add(first)
    }
    expect(etags.size).to.equal(REPRESENTATIONS.length)
  })

  it('is not compressed if it fits into about one packet', async () => {
    const { headers } = await open(cached.gateway, '/reports/receipts_by_month', 'gzip')
    expect(headers['content-encoding']).to.equal(undefined)
    expect(Number(headers['content-length'])).to.be.lessThan(1400)
  })
})

/** Resolves when rows have arrived, although the source pauses. */
async function firstRows(response: IncomingMessage, coding: Coding): Promise<void> {
  const source: Readable = coding === 'identity' ? response : response.pipe(createGunzip())
  let text = ''
  source.on('data', chunk => (text += String(chunk))).on('error', () => {})
  response.on('error', () => {})
  await until(() => text.includes('17'))
}

async function readAll(
  response: IncomingMessage,
  onFirstBytes: () => Promise<void>,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const parts: Buffer[] = []
  try {
    for await (const part of response) {
      parts.push(part as Buffer)
      if (parts.length === 1) await onFirstBytes()
    }
    return { bytes: Buffer.concat(parts), isWhole: true }
  } catch {
    return { bytes: Buffer.concat(parts), isWhole: false }
  }
}
