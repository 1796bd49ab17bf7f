import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import type { Ask } from '../support/ask.ts'
import { run } from '../support/shops.ts'
import { until } from '../support/until.ts'
import { shopsGateway } from '../support/world.ts'

const HEADERS = 'Host: x\r\nX-Api-Key: key of shop 1\r\n'

describe('connections', () => {
  const world = shopsGateway({
    CACHE_MAX_BYTES: '512MiB',
    CACHE_MAX_ENTRY_BYTES: '100MiB',
    STALL_TIMEOUT: '1s',
  })
  const ask: Ask = (path, options) => world.ask(path, options)

  function open(text: string): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const { port } = new URL(world.gateway.url)
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(text)
        resolve(socket)
      })
      socket.on('error', reject)
    })
  }

  /** All that comes until the other side closes. */
  async function raw(text: string): Promise<string> {
    const socket = await open(text)
    let answer = ''
    return new Promise((resolve, reject) => {
      socket
        .on('data', chunk => (answer += chunk))
        .on('close', () => resolve(answer))
        .on('error', reject)
    })
  }

  async function inUse(): Promise<string | undefined> {
    const text = await (await fetch(`${world.gateway.opsUrl}/metrics`)).text()
    return /svodka_db_pool_connections\{pool="reports",replica="[^"]+",state="in_use"\} (\d+)/.exec(
      text,
    )?.[1]
  }

  it('answers pipelined requests in their order', async () => {
    const requests = [1, 2, 3].map(
      n => `GET /api/public/v1/reports/none${n} HTTP/1.1\r\n${HEADERS}\r\n`,
    )
    const last = `GET /api/public/v1/ping HTTP/1.1\r\n${HEADERS}Connection: close\r\n\r\n`
    const answer = await raw(requests.join('') + last)
    expect(answer.match(/none\d|"ok":true/g)?.join()).to.equal('none1,none2,none3,"ok":true')
  })

  it('cuts off who pipelines without end, and asks no database for it', async () => {
    const socket = await open('')
    const closed = new Promise(resolve => socket.on('close', resolve))
    const request = `GET /api/public/v1/ping HTTP/1.1\r\n${HEADERS}\r\n`
    const before = world.gateway.observations.length
    socket.on('error', () => undefined).write(request.repeat(1000))
    await closed
    const asked = world.gateway.observations.slice(before).filter(({ kind }) => kind === 'request')
    expect(asked.length).to.be.lessThan(100)
  })

  it('frees everything when a client with pipelined requests leaves', async () => {
    const requests = Array.from({ length: 20 }, (_, day) => {
      const to = `2027-02-${String(day + 1).padStart(2, '0')}`
      return `GET /api/public/v1/reports/flood?to=${to} HTTP/1.1\r\n${HEADERS}\r\n`
    })
    const socket = await open(requests.join(''))
    await until(async () => (await inUse()) !== '0')
    socket.destroy()
    await until(async () => (await inUse()) === '0')
    const active = await run(
      world.shops.replicaUrl,
      `select from pg_stat_activity where application_name = 'svodka reports' and state = 'active' and datname = 'shops'`,
    )
    expect(active).to.have.length(0)
    expect((await ask('/reports/receipts')).status).to.equal(200)
  })

  it('counts a client that left before its answer began as 499, and as no defect', async () => {
    const from = world.gateway.observations.length
    const socket = await open(`GET /api/public/v1/reports/sleeps_long HTTP/1.1\r\n${HEADERS}\r\n`)
    await new Promise(resolve => setTimeout(resolve, 100))
    socket.resetAndDestroy()
    const seen = () => world.gateway.observations.slice(from)
    const request = await until(() => seen().find(fact => fact.kind === 'request'))
    expect(request).to.include({ status: 499, aborted: true, report: 'sleeps_long' })
    expect(seen().filter(({ kind }) => kind === 'process-error')).to.deep.equal([])
  })

  it('cuts off a client that reads nothing of a whole body', async () => {
    // why: far more than the kernel takes for a reader that does not read
    const head = await ask('/reports/flood', { method: 'HEAD' })
    expect(head.headers.get('ETag')).to.be.a('string')
    const from = world.gateway.observations.length
    const socket = await open(`GET /api/public/v1/reports/flood HTTP/1.1\r\n${HEADERS}\r\n`)
    socket.pause()
    const request = await until(() =>
      world.gateway.observations
        .slice(from)
        .find(fact => fact.kind === 'request' && fact.cache === 'hit'),
    )
    expect(request).to.include({ aborted: true, status: 200 })
    socket.destroy()
  })

  it('holds nothing of a whole body for clients that left, however early', async () => {
    for (let left = 0; left < 20; left += 1) {
      const socket = await open(`GET /api/public/v1/reports/flood HTTP/1.0\r\n${HEADERS}\r\n`)
      await new Promise(resolve => setTimeout(resolve, left % 5))
      socket.destroy()
    }
    await until(async () => {
      const text = await (await fetch(`${world.gateway.opsUrl}/metrics`)).text()
      return /^svodka_http_unread_bytes 0$/m.test(text)
    })
  })

  it('never mixes a refusal into an answer that has begun', async () => {
    const socket = await open(`GET /api/public/v1/reports/flood HTTP/1.1\r\n${HEADERS}\r\n`)
    let answer = ''
    let sent = false
    await new Promise(resolve => {
      socket.on('data', chunk => {
        answer += chunk
        if (!sent) socket.write('GARBAGE\r\n\r\n')
        sent = true
      })
      socket.on('close', resolve).on('error', () => undefined)
    })
    expect(answer.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200'])
  })

  it('writes nothing into a response where CONNECT follows its request', async () => {
    const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'
    const report = `GET /api/public/v1/reports/flood HTTP/1.1\r\n${HEADERS}\r\n`
    const pipelined = await raw(report + CONNECT)
    expect(pipelined).not.to.contain('HTTP/1.1 400')
    const socket = await open(report)
    let answer = ''
    await new Promise(resolve => {
      socket.on('data', chunk => {
        if (answer === '') socket.write(CONNECT)
        answer += chunk
      })
      socket.on('close', resolve).on('error', () => undefined)
    })
    expect(answer.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200'])
    await until(async () => {
      const metrics = await (await fetch(`${world.gateway.opsUrl}/metrics`)).text()
      return /^svodka_http_requests_in_flight 0$/m.test(metrics)
    })
    await until(async () => (await inUse()) === '0')
  })

  it('answers a problem to a target that is no URL and to a Host that is not one', async () => {
    const bad = [
      `GET http://[/ HTTP/1.1\r\n${HEADERS}\r\n`,
      `GET /api/public/v1/ping HTTP/1.1\r\nX-Api-Key: key of shop 1\r\n\r\n`,
      `GET /api/public/v1/ping HTTP/1.1\r\n${HEADERS}Host: y\r\n\r\n`,
      `CONNECT example:443 HTTP/1.1\r\n${HEADERS}\r\n`,
      `GET /api/public/v1/ping HTTP/1.1\r\n${HEADERS}Transfer-Encoding: gzip\r\n\r\n`,
      `GET /api/public/v1/ping HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: x, Chunked \r\nTransfer-Encoding: y\r\n\r\n`,
    ]
    for (const text of bad)
      expect(await raw(text), text).to.match(
        /^HTTP\/1\.1 400 Bad Request\r\n[^]*"code":"bad_request"/,
      )
  })

  it('outlives clients that are refused and reset, or never close', async () => {
    for (let round = 0; round < 60; round += 1) {
      const sockets = await Promise.all([
        open(`CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n${'x'.repeat(100_000)}`),
        open('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'),
        open('GET / HTTP/1.1\r\n\r\n'),
        open('GARBAGE\r\n\r\n'),
      ])
      await new Promise(resolve => setTimeout(resolve, round % 4))
      for (const socket of sockets) socket.on('error', () => undefined).resetAndDestroy()
    }
    const faults = world.gateway.observations.filter(({ kind }) => kind === 'process-error')
    expect(faults).to.deep.equal([])
    expect((await ask('/ping')).status).to.equal(200)
  })

  it('does not cut a slow report that was pipelined behind a quick answer', async () => {
    const answer = await raw(
      `GET /api/public/v1/ping HTTP/1.1\r\n${HEADERS}\r\n` +
        `GET /api/public/v1/reports/sleeps_two HTTP/1.1\r\n${HEADERS}Connection: close\r\n\r\n`,
    )
    expect(answer.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 200'])
  })

  it('answers HTTP/1.0 and a request with an expectation', async () => {
    expect(
      await raw('GET /api/public/v1/ping HTTP/1.0\r\nX-Api-Key: key of shop 1\r\n\r\n'),
    ).to.match(/ 200 OK/)
    const expecting = `GET /api/public/v1/ping HTTP/1.1\r\n${HEADERS}Expect: wat\r\nConnection: close\r\n\r\n`
    expect(await raw(expecting)).to.match(/ 200 OK/)
  })
})
