import { expect } from 'chai'
import { asker } from '../support/ask.ts'
import type { Answer, Ask } from '../support/ask.ts'
import { openConnection } from '../support/raw-socket.ts'
import { until } from '../support/until.ts'
import { shopsGateway } from '../support/world.ts'

describe('requests of an organization in flight', function () {
  this.timeout(60_000)
  const world = shopsGateway({
    MAX_REQUESTS_PER_ORGANIZATION: '3',
    // why: a quarter of the slots is for one organization once another executes
    REPORT_POOL_SIZE: '12',
  })
  const ask: Ask = (path, options) => world.ask(path, options)
  let day = 0

  const inFlight = async (): Promise<string | undefined> => {
    const text = await (await fetch(`${world.gateway.opsUrl}/metrics`)).text()
    return /^svodka_http_requests_in_flight (\d+)$/m.exec(text)?.[1]
  }

  /** Those that have been admitted: the others in flight may still wait for their key. */
  const executing = async (): Promise<string | undefined> => {
    const text = await (await fetch(`${world.gateway.opsUrl}/metrics`)).text()
    return /^svodka_db_pool_connections\{pool="reports".*state="in_use"\} (\d+)$/m.exec(text)?.[1]
  }

  /** So many that end in two seconds. */
  async function busy(count: number): Promise<Promise<Answer>[]> {
    const asked = Array.from({ length: count }, () => {
      day += 1
      return ask(`/reports/sleeps_two?to=2028-01-${String((day % 28) + 1).padStart(2, '0')}`)
    })
    await until(async () => (await executing()) === String(count))
    return asked
  }

  function expectRefused(answer: Answer): void {
    expect(answer.status).to.equal(429)
    expect(answer.headers.get('Content-Type')).to.match(/^application\/problem\+json/)
    expect(answer.headers.get('Retry-After')).to.match(/^[1-9]\d?$/)
    expect(answer.json.code).to.equal('rate_limited')
  }

  it('are limited, whatever else is wrong with one more, and are free again when they end', async () => {
    await ask('/reports/receipts')
    expect((await ask('/reports/receipts')).headers.get('Cache-Status')).to.include('hit')
    for (let round = 0; round < 2; round += 1) {
      const asked = await busy(3)
      const from = world.gateway.observations.length
      const refused = await ask('/ping', { headers: { 'Accept-Language': 'en' } })
      expectRefused(refused)
      expect(refused.json.detail).to.equal(
        'At most 3 requests of an organization are processed at once. Wait for responses and retry.',
      )
      expectRefused(await ask('/reports/receipts'))
      expectRefused(await ask('/reports/receipts', { headers: { 'Cache-Control': 'no-cache' } }))
      expectRefused(await ask('/reports/none'))
      expectRefused(await ask('/ping', { method: 'POST' }))
      expect((await ask('/ping', { method: 'HEAD' })).status).to.equal(429)
      const facts = world.gateway.observations.slice(from).filter(({ kind }) => kind === 'request')
      expect(facts).to.have.length(6)
      for (const fact of facts) {
        expect(fact).to.include({
          problem: 'rate_limited',
          organizationId: '1',
          retryAfterSeconds: 1,
        })
      }
      const other = asker(world.gateway.url, 'key of shop 2')
      expect((await other('/reports/receipts')).status).to.equal(200)
      for (const answer of await Promise.all(asked)) expect(answer.status).to.equal(200)
      expect((await ask('/reports/receipts')).status).to.equal(200)
    }
  })

  it('are free again when their clients disconnect, however early', async () => {
    for (let n = 0; n < 80; n += 1) {
      const connection = await openConnection(world.gateway.url)
      // why: one that is not plain has its key looked up elsewhere
      const more = n % 2 === 0 ? '' : 'Cache-Control: no-cache\r\n'
      connection.send(
        `GET /api/public/v1/reports/sleeps_long HTTP/1.1\r\nHost: x\r\n${more}X-Api-Key: key of shop 1\r\n\r\n`,
      )
      await new Promise(resolve => setTimeout(resolve, n % 8))
      connection.destroy()
    }
    await until(async () => (await inFlight()) === '0')
    const asked = await busy(3)
    expectRefused(await ask('/ping'))
    for (const answer of await Promise.all(asked)) expect(answer.status).to.equal(200)
  })

  it('count while a slow client reads a cached response', async () => {
    expect((await ask('/reports/flood', { method: 'HEAD' })).status).to.equal(200)
    await until(async () => (await inFlight()) === '0')
    const connections = await Promise.all([1, 2, 3].map(() => openConnection(world.gateway.url)))
    for (const connection of connections) {
      connection.pause()
      connection.send(
        'GET /api/public/v1/reports/flood HTTP/1.1\r\nHost: x\r\nX-Api-Key: key of shop 1\r\n\r\n',
      )
    }
    await until(async () => (await inFlight()) === '3')
    expectRefused(await ask('/ping'))
    for (const connection of connections) connection.destroy()
    await until(async () => (await ask('/ping')).status === 200)
  })
})
