import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import type { Ask } from '../harness/ask.ts'
import { startGateway } from '../harness/in-process-gateway.ts'
import { openConnection, sendRaw } from '../harness/raw-socket.ts'
import { sharedShops, shopsEnvironment } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import {
  executingPids,
  folderWithHeldReport,
  holdReports,
  inFlight,
  KEY,
  metricOf,
  PREFIX,
  requestOf,
  SMALL_FLOOD,
  untilExecuting,
} from './gateways.ts'

const LAST = `${KEY}Connection: close\r\n`
const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'

/** Requests that are no HTTP, though their target or their method may be understood. */
const BAD = [
  `GET http://[/ HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`,
  `GET ${PREFIX}/ping HTTP/1.1\r\n${KEY}\r\n`,
  requestOf('/ping', `${KEY}Host: y\r\n`),
  `CONNECT example:443 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`,
  requestOf('/ping', `${KEY}Transfer-Encoding: gzip\r\n`),
  requestOf('/ping', 'Transfer-Encoding: x, Chunked \r\nTransfer-Encoding: y\r\n'),
]

describe('connections', () => {
  const SQL_DIR = folderWithHeldReport(SMALL_FLOOD)
  const world = shopsGateway({
    SQL_DIR,
    CACHE_MAX_BYTES: '512MiB',
    CACHE_MAX_ENTRY_BYTES: '100MiB',
    STALL_TIMEOUT: '1s',
  })
  const ask: Ask = (path, options) => world.ask(path, options)

  function open(text: string): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(world.gateway.url).port), '127.0.0.1', () => {
        socket.write(text)
        resolve(socket)
      })
      socket.on('error', reject)
    })
  }
  /** What has been observed since this was called. */
  function observing() {
    const from = world.gateway.observations.length
    return () => world.gateway.observations.slice(from)
  }
  const statusLines = (text: string): string[] => text.match(/HTTP\/1\.1 \d+/g) ?? []

  it('answer pipelined requests in their order', async () => {
    const requests = [1, 2, 3].map(n => requestOf(`/reports/none${n}`))
    const answer = await sendRaw(world.gateway.url, requests.join('') + requestOf('/ping', LAST))
    expect(answer.match(/none\d|"ok":true/g)?.join()).to.equal('none1,none2,none3,"ok":true')
  })

  it('are closed, once, for too many pipelined requests, of which few are answered', async () => {
    const seen = observing()
    await sendRaw(world.gateway.url, requestOf('/ping').repeat(20) + requestOf('/ping', LAST))
    const closed = () => seen().filter(({ kind }) => kind === 'connection-closed')
    expect(closed()).to.deep.equal([])
    const flood = await openConnection(world.gateway.url)
    flood.send(requestOf('/ping').repeat(1000))
    await flood.closed
    expect(seen().filter(({ kind }) => kind === 'request').length).to.be.lessThan(100)
    expect(closed()).to.deep.equal([{ kind: 'connection-closed', reason: 'pipelined' }])
  })

  it('free everything when a client with pipelined requests leaves', async () => {
    const days = Array.from({ length: 20 }, (_, day) => `2027-02-${day + 10}`)
    const socket = await open(days.map(to => requestOf(`/reports/flood?to=${to}`)).join(''))
    await until(async () => (await executingPids(world.shops)).length > 0)
    socket.destroy()
    await untilExecuting(world.shops, 0)
    const inUse = 'svodka_db_pool_connections{pool="reports"'
    await until(async () => (await metricOf(world.gateway, inUse)) === '0')
    expect((await ask('/reports/receipts')).status).to.equal(200)
  })

  it('count a client that left before its response began as 499, and as no defect', async () => {
    const release = await holdReports(world.shops)
    const seen = observing()
    const socket = await open(requestOf('/reports/held'))
    await untilExecuting(world.shops, 1)
    socket.resetAndDestroy()
    const request = await until(() => seen().find(({ kind }) => kind === 'request'))
    expect(request).to.include({ status: 499, aborted: true, report: 'held' })
    expect(seen().filter(({ kind }) => kind === 'process-error')).to.deep.equal([])
    await release()
  })

  it('are cut off for a client that reads nothing of a whole body', async () => {
    await ask('/reports/flood', { method: 'HEAD' })
    const seen = observing()
    const socket = await open(requestOf('/reports/flood'))
    socket.pause()
    const request = await until(() => seen().find(({ kind }) => kind === 'request'))
    expect(request).to.include({ aborted: true, status: 200, cache: 'hit' })
    socket.destroy()
  })

  it('hold nothing of a whole body for clients that left, however early', async () => {
    for (let left = 0; left < 20; left += 1) {
      const socket = await open(requestOf('/reports/flood').replace('HTTP/1.1', 'HTTP/1.0'))
      await new Promise(resolve => setTimeout(resolve, left % 5))
      socket.destroy()
    }
    const unread = () => metricOf(world.gateway, 'svodka_http_unread_bytes ')
    await until(async () => (await unread()) === '0')
  })

  for (const [name, refused] of [
    ['no HTTP', 'GARBAGE\r\n\r\n'],
    ['CONNECT', CONNECT],
  ] as const) {
    it(`never mix a refusal into a response, where ${name} comes with its request or in its middle`, async () => {
      const report = requestOf('/reports/flood')
      const pipelined = await sendRaw(world.gateway.url, report + refused)
      expect(pipelined.slice(20)).to.not.contain('HTTP/1.1 4')
      const socket = await open(report)
      let answer = ''
      await new Promise(resolve => {
        socket.on('data', chunk => {
          if (answer === '') socket.write(refused)
          answer += chunk
        })
        socket.on('close', resolve).on('error', () => undefined)
      })
      expect(statusLines(answer)).to.deep.equal(['HTTP/1.1 200'])
      await until(async () => (await inFlight(world.gateway)) === '0')
    })
  }

  it('get a problem for what is no HTTP', async () => {
    for (const text of BAD) {
      expect(await sendRaw(world.gateway.url, text), text).to.match(
        /^HTTP\/1\.1 400 Bad Request\r\n[^]*"code":"bad_request"/,
      )
    }
  })

  it('that are refused and reset, or never closed, are survived', async () => {
    const seen = observing()
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
    expect(seen().filter(({ kind }) => kind === 'process-error')).to.deep.equal([])
    expect((await ask('/ping')).status).to.equal(200)
  })

  it('are not cut for a slow report that was pipelined behind a quick response', async () => {
    const release = await holdReports(world.shops)
    setTimeout(() => void release(), 1300)
    const text = requestOf('/ping') + requestOf('/reports/held?to=2026-12-02', LAST)
    const answer = await sendRaw(world.gateway.url, text)
    expect(statusLines(answer)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 200'])
  })

  it('may be of HTTP/1.0, and may expect something', async () => {
    const old = `GET ${PREFIX}/ping HTTP/1.0\r\n${KEY}\r\n`
    for (const text of [old, requestOf('/ping', `${LAST}Expect: wat\r\n`)]) {
      expect(await sendRaw(world.gateway.url, text)).to.match(/ 200 OK/)
    }
  })
})

describe('a connection that has sent nothing', () => {
  it('is closed when the gateway stops, which does not wait for it', async () => {
    const gateway = await startGateway({
      ...shopsEnvironment(await sharedShops()),
      DRAIN_TIMEOUT: '10m',
    })
    const connection = await openConnection(gateway.url)
    expect((await fetch(`${gateway.url}/none`)).status).to.equal(404)
    await gateway.stop()
    await connection.closed
  })
})
