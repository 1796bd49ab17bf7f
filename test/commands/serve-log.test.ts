import { createConnection } from 'node:net'
import { expect } from 'chai'
import { listening, ready, startProcess } from '../support/process.ts'
import type { GatewayProcess } from '../support/process.ts'
import { sharedShops, shopsEnvironment } from '../support/shops.ts'
import type { Shops } from '../support/shops.ts'
import { until } from '../support/until.ts'

const PREFIX = '/api/public/v1'
const KEY = 'X-Api-Key: key of shop 1\r\n'
const LOCKED = 'X-Api-Key: key of shop 4\r\n'

/** Request line and headers of one request for each problem of a 4xx that needs no execution. */
const REQUESTS: Readonly<Record<string, string>> = {
  not_found: `GET /nowhere HTTP/1.1\r\n`,
  api_key_required: `GET ${PREFIX}/ping HTTP/1.1\r\n`,
  api_key_invalid: `GET ${PREFIX}/ping HTTP/1.1\r\nX-Api-Key: unknown\r\n`,
  module_locked: `GET ${PREFIX}/ping HTTP/1.1\r\n${LOCKED}`,
  report_not_found: `GET ${PREFIX}/reports/nowhere HTTP/1.1\r\n${KEY}`,
  metric_not_found: `GET ${PREFIX}/metrics?codes=nowhere HTTP/1.1\r\n${KEY}`,
  method_not_allowed: `DELETE ${PREFIX}/ping HTTP/1.1\r\n${KEY}`,
  bad_range: `GET ${PREFIX}/reports/receipts?from=x HTTP/1.1\r\n${KEY}`,
  bad_format: `GET ${PREFIX}/reports/receipts?format=x HTTP/1.1\r\n${KEY}`,
}

const EACH = 3000
const CONNECTIONS = 10
const PIPELINED = 20

/** Sends a request again and again over one connection. @returns how many responses had that problem */
function pipeline(url: string, problem: string, requestCount: number): Promise<number> {
  const request = `${REQUESTS[problem]}Host: x\r\n\r\n`
  const mark = `"code":"${problem}"`
  return new Promise((resolve, reject) => {
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
    let answered = 0
    let rest = ''
    const send = (): void =>
      void socket.write(request.repeat(Math.min(PIPELINED, requestCount - answered)))
    socket.on('connect', send)
    socket.on('error', reject)
    socket.setTimeout(20_000, () =>
      socket.destroy(new Error(`${answered} responses were ${problem}`)),
    )
    socket.on('close', () => resolve(answered))
    socket.on('data', chunk => {
      const parts = (rest + chunk.toString('latin1')).split(mark)
      rest = parts.at(-1)!.slice(-mark.length)
      answered += parts.length - 1
      if (answered >= requestCount) socket.destroy()
      else if (parts.length > 1 && answered % PIPELINED === 0) send()
    })
  })
}

/** @returns how many of them were answered with that problem */
async function flood(url: string, problem: string, requestCount: number): Promise<number> {
  const ofOne = requestCount / CONNECTIONS
  const all = Array.from({ length: CONNECTIONS }, () => pipeline(url, problem, ofOne))
  return (await Promise.all(all)).reduce((sum, answered) => sum + answered, 0)
}

async function metric(opsUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

describe('the log of svodka serve', () => {
  let shops: Shops
  let gateway: GatewayProcess | undefined
  before(async function () {
    this.timeout(60_000)
    shops = await sharedShops()
  })
  afterEach(() => void gateway?.child.kill('SIGKILL'))

  it('has one line for each problem of an organization under a flood', async () => {
    gateway = startProcess('serve', { ...shopsEnvironment(shops), MAX_UNAUTHORIZED_IN_A_ROW: '0' })
    const { url } = await ready(gateway)
    for (const problem of Object.keys(REQUESTS)) {
      expect(await flood(url, problem, 500), problem).to.equal(500)
    }
    gateway.child.kill('SIGINT')
    expect(await gateway.exit).to.equal(0)
    for (const problem of Object.keys(REQUESTS)) {
      const lines = gateway.out.match(new RegExp(`"problem":"${problem}"`, 'g'))
      // why: on a busy machine these may take longer than 30 s
      expect(lines, problem).to.have.length.within(1, 3)
    }
  })

  it('lets no request wait for a reader that has stalled, and says how many lines were dropped', async function () {
    this.timeout(180_000)
    gateway = startProcess('serve', {
      ...shopsEnvironment(shops),
      MAX_UNAUTHORIZED_IN_A_ROW: '0',
      LOG_REQUESTS: 'all',
    })
    const { child } = gateway
    await ready(gateway)
    const { url, opsUrl } = await listening(gateway)
    child.stdout?.pause()
    const before = await metric(opsUrl, 'process_resident_memory_bytes')
    for (const problem of Object.keys(REQUESTS)) {
      expect(await flood(url, problem, EACH), problem).to.equal(EACH)
    }
    const droppedCount = await metric(opsUrl, 'svodka_log_lines_dropped_total')
    expect(droppedCount).to.be.greaterThan(EACH)
    const after = await metric(opsUrl, 'process_resident_memory_bytes')
    expect(after - before, 'bytes of memory').to.be.below(200 * 2 ** 20)

    child.stdout?.resume()
    const told = await until(() => /"msg":"(\d+) lines were dropped.*\n/.exec(gateway!.out)?.[1])
    expect(Number(told)).to.equal(droppedCount)
    child.kill('SIGINT')
    expect(await gateway.exit).to.equal(0)
    const lines = gateway.out.trimEnd().split('\n')
    const requests = lines.map(line => JSON.parse(line)).filter(({ problem }) => problem)
    expect(requests.length + droppedCount).to.equal(EACH * Object.keys(REQUESTS).length)
  })
})
