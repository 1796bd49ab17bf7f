import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { metricOf } from '../harness/exposition.ts'
import { startGateway } from '../harness/gateway.ts'
import { openConnection, sendRaw } from '../harness/raw-socket.ts'
import { executingPids, untilExecuting } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import {
  folderWithHeldReport,
  holdReports,
  inFlight,
  KEY,
  PREFIX,
  requestOf,
  SMALL_FLOOD,
} from './gateways.ts'

const LAST = `${KEY}Connection: close\r\n`
const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'

/** Invalid HTTP requests, some with a valid target or method. */
const BAD = [
  'NONSENSE\r\n\r\n',
  `GET http://[/ HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`,
  `GET ${PREFIX}/ping HTTP/1.1\r\n${KEY}\r\n`,
  requestOf('/ping', `${KEY}Host: y\r\n`),
  `CONNECT example:443 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`,
  requestOf('/ping', `${KEY}Transfer-Encoding: gzip\r\n`),
  requestOf('/ping', 'Transfer-Encoding: x, Chunked \r\nTransfer-Encoding: y\r\n'),
]

describe('connections', () => {
  const SQL_DIR = folderWithHeldReport(SMALL_FLOOD)
  const world = shopsGateway(
    { SQL_DIR, CACHE_MAX_BYTES: '512MiB' },
    { limits: { maxCachedBytes: 104_857_600, stallTimeoutMs: 1000 } },
  )
  const { ask } = world

  function open(text: string): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(world.gateway.url).port), '127.0.0.1', () => {
        socket.write(text)
        resolve(socket)
      })
      socket.on('error', reject)
    })
  }
  /** Returns a function that returns the observations since this call. */
  function observationsFromNow() {
    const from = world.gateway.observations.length
    return () => world.gateway.observations.slice(from)
  }
  const statusLines = (text: string): string[] => text.match(/HTTP\/1\.1 \d+/g) ?? []
  const lengthOf = (text: string): number => Number(/content-length: (\d+)/i.exec(text)?.[1])

  it('respond to pipelined requests in order', async () => {
    const requests = [1, 2, 3].map(n => requestOf(`/reports/none${n}`))
    const response = await sendRaw(world.gateway.url, requests.join('') + requestOf('/ping', LAST))
    expect(response.match(/none\d|"ok":true/g)?.join()).to.equal('none1,none2,none3,"ok":true')
  })

  it('are closed for too many pipelined requests, of which few are executed', async () => {
    const observed = observationsFromNow()
    await sendRaw(world.gateway.url, requestOf('/ping').repeat(20) + requestOf('/ping', LAST))
    const closed = () => observed().filter(({ kind }) => kind === 'connection-closed')
    expect(closed()).to.deep.equal([])
    const flood = await openConnection(world.gateway.url)
    flood.send(requestOf('/ping').repeat(1000))
    await flood.closed
    expect(observed().filter(({ kind }) => kind === 'request').length).to.be.lessThan(100)
    expect(closed()).to.deep.equal([{ kind: 'connection-closed', reason: 'pipelined' }])
  })

  it('release all resources when a client with pipelined requests disconnects', async () => {
    const days = Array.from({ length: 20 }, (_, day) => `2027-02-${day + 10}`)
    const socket = await open(days.map(to => requestOf(`/reports/flood?to=${to}`)).join(''))
    await until(async () => (await executingPids(world.shops)).length > 0)
    socket.destroy()
    await untilExecuting(world.shops, 0)
    const labels = { pool: 'reports', state: 'in_use' }
    await until(
      async () => (await metricOf(world.gateway, 'svodka_db_pool_connections', labels)) === 0,
    )
    expect((await ask('/reports/receipts')).status).to.equal(200)
  })

  it('count a client that disconnects before its response as 499, not as an error', async () => {
    const release = await holdReports(world.shops)
    const observed = observationsFromNow()
    const socket = await open(requestOf('/reports/held'))
    await untilExecuting(world.shops, 1)
    socket.resetAndDestroy()
    const request = await until(() => observed().find(({ kind }) => kind === 'request'))
    expect(request).to.include({ status: 499, aborted: true, report: 'held' })
    expect(observed().filter(({ kind }) => kind === 'process-error')).to.deep.equal([])
    await release()
  })

  it('are closed if a client does not read a whole body', async () => {
    await ask('/reports/flood', { method: 'HEAD' })
    const observed = observationsFromNow()
    const socket = await open(requestOf('/reports/flood'))
    socket.pause()
    const request = await until(() => observed().find(({ kind }) => kind === 'request'))
    expect(request).to.include({ aborted: true, status: 200, cache: 'hit' })
    socket.destroy()
  })

  for (const [name, invalid, statuses] of [
    ['no HTTP', 'GARBAGE\r\n\r\n', [200, 400]],
    ['a body without a length', '{"a": 1}', [200, 400]],
    ['a request after the last one', requestOf('/ping', LAST) + requestOf('/ping'), [200, 200]],
    ['CONNECT', CONNECT, [200]],
  ] as const) {
    it(`never mix a problem into a response if ${name} arrives with its request or during it`, async () => {
      const report = requestOf('/reports/flood')
      const expected = statuses.map(status => `HTTP/1.1 ${status}`)
      const pipelined = await sendRaw(world.gateway.url, report + invalid)
      if (invalid === CONNECT) expect(pipelined.slice(20)).to.not.contain('HTTP/1.1 4')
      else expect(statusLines(pipelined)).to.deep.equal(expected)
      const socket = (await open(report)).setEncoding('latin1')
      let response = ''
      await new Promise(resolve => {
        socket.on('data', chunk => {
          if (response === '') socket.write(invalid)
          response += chunk
        })
        socket.on('close', resolve).on('error', () => undefined)
      })
      expect(statusLines(response)).to.deep.equal(expected)
      expect(response.indexOf(expected.at(-1)!)).to.be.oneOf([
        0,
        response.indexOf('\r\n\r\n') + 4 + lengthOf(response),
      ])
      await until(async () => (await inFlight(world.gateway)) === 0)
    })
  }

  it('count requests before invalid bytes as what they got', async () => {
    const observed = observationsFromNow()
    const response = await sendRaw(world.gateway.url, `${requestOf('/ping').repeat(3)}{"a": 1}`)
    expect(statusLines(response).join()).to.equal(`${'HTTP/1.1 200,'.repeat(3)}HTTP/1.1 400`)
    const requests = observed().filter(({ kind }) => kind === 'request')
    expect(requests.map(fact => Reflect.get(fact, 'status'))).to.deep.equal([200, 200, 200, 400])
  })

  it('receive a problem for invalid HTTP', async () => {
    for (const text of BAD) {
      expect(await sendRaw(world.gateway.url, text), text).to.match(
        /^HTTP\/1\.1 400 Bad Request\r\n[^]*"code":"bad_request"/,
      )
    }
  })

  it('receive the problem of an invalid head if they send its body first', async () => {
    const { port, hostname } = new URL(world.gateway.url)
    const socket = connect(Number(port), hostname).pause()
    const body = 'x'.repeat(20_000_000)
    const head = `POST / HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n`
    await new Promise(resolve => socket.write(head + body, resolve))
    const [chunk] = (await once(socket.resume(), 'data')) as [Buffer]
    expect(chunk.toString()).to.match(/^HTTP\/1\.1 400 [^]*"code":"bad_request"/)
    socket.destroy()
  })

  it('that are rejected and reset cause no error', async () => {
    const observed = observationsFromNow()
    for (let round = 0; round < 40; round += 1) {
      const texts = [
        CONNECT + 'x'.repeat(100_000),
        CONNECT,
        'GET / HTTP/1.1\r\n\r\n',
        'GARBAGE\r\n\r\n',
      ]
      const sockets = await Promise.all(texts.map(open))
      await new Promise(resolve => setTimeout(resolve, round % 4))
      for (const socket of sockets) socket.on('error', () => undefined).resetAndDestroy()
    }
    expect(observed().filter(({ kind }) => kind === 'process-error')).to.deep.equal([])
    expect((await ask('/ping')).status).to.equal(200)
  })

  it('are not closed during a slow report that was pipelined after a fast response', async () => {
    const release = await holdReports(world.shops)
    setTimeout(() => void release(), 1300)
    const text = requestOf('/ping') + requestOf('/reports/held?from=2026-01-01&to=2026-12-02', LAST)
    const response = await sendRaw(world.gateway.url, text)
    expect(statusLines(response)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 200'])
  })

  it('may use HTTP/1.0 and unknown expectations', async () => {
    const old = `GET ${PREFIX}/ping HTTP/1.0\r\n${KEY}\r\n`
    for (const text of [old, requestOf('/ping', `${LAST}Expect: wat\r\n`)]) {
      expect(await sendRaw(world.gateway.url, text)).to.match(/ 200 OK/)
    }
  })
})

describe('a connection that has sent nothing', () => {
  it('is closed immediately when the gateway stops', async () => {
    const gateway = await startGateway({}, { limits: { drainTimeoutMs: 600_000 } })
    const connection = await openConnection(gateway.url)
    expect((await fetch(`${gateway.url}/none`)).status).to.equal(404)
    await gateway.stop()
    await connection.closed
  })
})
