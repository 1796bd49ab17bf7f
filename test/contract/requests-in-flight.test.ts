import { expect } from 'chai'
import { asker, type Answer } from '../harness/ask.ts'
import { openConnection } from '../harness/raw-socket.ts'
import { untilExecuting } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import {
  coldPath,
  folderWithHeldReport,
  holdReports,
  inFlight,
  KEY,
  requestOf,
  SMALL_FLOOD,
} from './gateways.ts'

describe('requests of an organization in flight', () => {
  const world = shopsGateway(
    {
      SQL_DIR: folderWithHeldReport(SMALL_FLOOD),
      MAX_REQUESTS_PER_ORGANIZATION: '3',
      // why: an organization may use a quarter of the slots while another one executes
      REPORT_POOL_SIZE: '12',
    },
    { limits: { maxCachedBytes: 67_108_864 } },
  )
  const { ask } = world
  const noCache = { 'Cache-Control': 'no-cache' }
  let day = 0

  /** Calls `during` while three requests are in flight, which succeed afterwards. */
  async function whileBusy(during: () => Promise<void>): Promise<void> {
    const release = await holdReports(world.shops)
    const pending = [1, 2, 3].map(() => ask(coldPath('held', (day += 1))))
    await untilExecuting(world.shops, 3)
    await during()
    await release()
    for (const response of await Promise.all(pending)) expect(response.status).to.equal(200)
  }

  function expectRejected(response: Answer): void {
    expect([response.status, response.json.code]).to.deep.equal([429, 'rate_limited'])
    expect(response.headers.get('Content-Type')).to.match(/^application\/problem\+json/)
    expect(response.headers.get('Retry-After')).to.match(/^[1-9]\d?$/)
  }

  it('are limited for any further request until they end', async () => {
    await ask('/reports/receipts')
    expect((await ask('/reports/receipts')).headers.get('Cache-Status')).to.include('hit')
    await whileBusy(async () => {
      const from = world.gateway.observations.length
      const rejected = await ask('/ping', { headers: { 'Accept-Language': 'en' } })
      expectRejected(rejected)
      expect(rejected.json.detail).to.equal(
        'At most 3 requests of an organization are processed at once. Wait for responses and retry.',
      )
      expectRejected(await ask('/reports/receipts'))
      expectRejected(await ask('/reports/receipts', { headers: noCache }))
      expectRejected(await ask('/reports/none'))
      expectRejected(await ask('/ping', { method: 'POST' }))
      expect((await ask('/ping', { method: 'HEAD' })).status).to.equal(429)
      const facts = world.gateway.observations.slice(from).filter(({ kind }) => kind === 'request')
      expect(facts).to.have.length(6)
      const expected = { problem: 'rate_limited', organizationId: '1', retryAfterSeconds: 1 }
      for (const fact of facts) expect(fact).to.include(expected)
      const other = asker(world.gateway.url, 'key of shop 2')
      expect((await other('/reports/receipts')).status).to.equal(200)
    })
    expect((await ask('/reports/receipts')).status).to.equal(200)
  })

  it('end when their clients disconnect, however early', async () => {
    const release = await holdReports(world.shops)
    for (let n = 0; n < 80; n += 1) {
      const connection = await openConnection(world.gateway.url)
      // why: Koa checks the key of a request that is not plain
      const more = n % 2 === 0 ? '' : 'Cache-Control: no-cache\r\n'
      connection.send(requestOf('/reports/held', KEY + more))
      await new Promise(resolve => setTimeout(resolve, n % 8))
      connection.destroy()
    }
    await until(async () => (await inFlight(world.gateway)) === 0)
    await release()
    await whileBusy(async () => expectRejected(await ask('/ping')))
  })

  it('are counted while a slow client reads a cached response', async () => {
    expect((await ask('/reports/flood', { method: 'HEAD' })).status).to.equal(200)
    await until(async () => (await inFlight(world.gateway)) === 0)
    const connections = await Promise.all([1, 2, 3].map(() => openConnection(world.gateway.url)))
    for (const connection of connections) {
      connection.pause()
      connection.send(requestOf('/reports/flood'))
    }
    // why: their keys are being checked first
    expectRejected(
      await until(async () => {
        const response = await ask('/ping')
        return response.status !== 200 && response
      }),
    )
    for (const connection of connections) connection.destroy()
    await until(async () => (await ask('/ping')).status === 200)
  })
})
