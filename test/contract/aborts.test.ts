// Clients that disconnect at any moment of a request: all resources are released, and the next request is served.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import type { Limits } from '../../src/config/limits.ts'
import { MAX_TIMEOUT } from '../../src/definitions/schemas.ts'
import { metricOf } from '../harness/exposition.ts'
import type { Addresses } from '../harness/process.ts'
import { startProxy } from '../harness/proxy.ts'
import { processesOfBlock, type ServingProcess } from '../harness/shops-gateway.ts'
import { sharedShops, untilExecuting } from '../harness/shops.ts'
import { until } from '../harness/until.ts'
import { coldPath, folderWithHeldReport, holdReports, inFlight, KEY, PREFIX } from './gateways.ts'
import { registerOf } from './register.ts'

/** How late a timer may be. */
const TIMER_MS = 4
/** Tested moments of a request, spread over its duration. */
const MOMENTS = 6

const NO_CACHE = `${KEY}Cache-Control: no-cache\r\n`
const REQUESTS: Readonly<Record<string, string>> = {
  'an unknown key': getOf('/ping', 'X-Api-Key: unknown\r\n'),
  'a cached response': getOf('/reports/receipts', KEY),
  'a small report': getOf('/reports/receipts', NO_CACHE),
  metrics: getOf('/metrics', NO_CACHE),
  'a report that is compressed whole': getOf(
    '/reports/whole',
    `${NO_CACHE}Accept-Encoding: gzip\r\n`,
  ),
  'another format of a report': getOf('/reports/whole.xlsx', NO_CACHE),
  'a large report': getOf('/reports/large', NO_CACHE),
  'a large report, compressed': getOf('/reports/large.csv', `${NO_CACHE}Accept-Encoding: gzip\r\n`),
}

/** Reports that take longer than the test waits for their end, and the SQL that takes long. */
const MOMENTS_OF_SQL = {
  'before the first row, while it waits for a lock': ['locked', 'hold(0)'],
  'while it sleeps': ['sleeping', 'length(wait_seconds(50)::text)'],
  'while it computes': [
    'computing',
    '(select count(*) from generate_series(1, 30000) as a, generate_series(n, 30000) as b)',
  ],
  'between rows': ['waits', 'case n when 8000 then hold(0) else n end'],
} as const

/** A request that closes the connection after its response. */
function getOf(path: string, headers: string): string {
  return `GET ${PREFIX}${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`
}

describe('a client that disconnects', () => {
  const SQL_DIR = folderWithHeldReport({
    'reports/sales/whole.sql': registerOf(1500),
    'reports/sales/large.sql': registerOf(8000),
    ...Object.fromEntries(
      Object.values(MOMENTS_OF_SQL).map(([code, units]) => [
        `reports/sales/${code}.sql`,
        registerOf(8000, { units }).replace('timeout: 20s', `timeout: ${MAX_TIMEOUT}`),
      ]),
    ),
  })
  const startProcess = processesOfBlock()
  const start = (
    environment: NodeJS.ProcessEnv = {},
    limits: Partial<Limits> = {},
  ): Promise<ServingProcess> =>
    startProcess({ SQL_DIR, ...environment }, { limits: { maxCachedBytes: 262_144, ...limits } })

  it(`at ${MOMENTS} moments of each kind of request`, async () => {
    const gateway = await start()
    for (const [name, request] of Object.entries(REQUESTS)) {
      await durationOf(gateway, request)
      const ms = await durationOf(gateway, request)
      for (let at = 0; at <= MOMENTS; at += 1) {
        const socket = await open(gateway)
        socket.resume().write(request)
        await busyWait((at / MOMENTS) * ms * 1.1)
        if (at % 2 === 0) socket.destroy()
        else socket.resetAndDestroy()
      }
      await gateway.expectNothingLeft(name)
    }
  })

  it('while its key is looked up', async () => {
    const proxy = await startProxy((await sharedShops()).replicaUrl)
    const gateway = await start({ KEYS_DATABASE_URL: proxy.url }, { keyTimeoutMs: 20_000 })
    proxy.drop()
    const socket = await sendRequest(gateway, '/reports/receipts')
    await until(async () => (await inFlight(gateway)) === 1)
    socket.destroy()
    // why: a look-up is not aborted, as it may be shared
    proxy.carry()
    await gateway.expectNothingLeft()
    await proxy.cut()
  })

  it('while it waits for a connection slot', async () => {
    const gateway = await start({ REPORT_POOL_SIZE: '1' })
    const release = await holdReports(await sharedShops())
    const first = await sendRequest(gateway, '/reports/held')
    await untilExecuting(await sharedShops(), 1)
    const queued = () => metricOf(gateway, 'svodka_admission_queue_length')
    const waiting = await sendRequest(gateway, coldPath('receipts', 1))
    await until(async () => (await queued()) === 1)
    waiting.destroy()
    await until(async () => (await queued()) === 0)
    expect(await inFlight(gateway)).to.equal(1)
    await release()
    await once(first.resume(), 'end')
    first.destroy()
    await gateway.expectNothingLeft()
  })

  it('while the gateway connects to the replica', async () => {
    const { replicaUrl } = await sharedShops()
    const proxy = await startProxy(replicaUrl)
    const settings = {
      DATABASE_URL: proxy.url,
      KEYS_DATABASE_URL: replicaUrl,
      PROBE_DATABASE_URL: replicaUrl,
    }
    const gateway = await start(settings, { connectTimeoutMs: 30_000 })
    const { connects } = proxy
    proxy.reset()
    proxy.drop()
    const socket = await sendRequest(gateway, coldPath('receipts', 1))
    await until(() => proxy.connects > connects)
    socket.destroy()
    await until(async () => (await inFlight(gateway)) === 0)
    proxy.carry()
    await gateway.expectNothingLeft()
    await proxy.cut()
  })

  for (const [moment, [code]] of Object.entries(MOMENTS_OF_SQL)) {
    it(moment, async () => {
      const gateway = await start()
      await holdReports(await sharedShops())
      const socket = await sendRequest(gateway, `/reports/${code}`)
      await untilExecuting(await sharedShops(), 1)
      socket.destroy()
      await gateway.expectNothingLeft()
    })
  }
})

async function open({ url }: Addresses): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket.on('error', () => {})
}

async function sendRequest(gateway: Addresses, path: string): Promise<Socket> {
  const socket = await open(gateway)
  socket.write(getOf(path, KEY))
  return socket
}

/** Duration of a request whose response is received completely. */
async function durationOf(gateway: Addresses, request: string): Promise<number> {
  const socket = await open(gateway)
  const from = performance.now()
  socket.resume().write(request)
  await once(socket, 'close')
  return performance.now() - from
}

/** More precise than a timer, which may be late by a few ms. */
async function busyWait(ms: number): Promise<void> {
  const from = performance.now()
  if (ms > TIMER_MS) await new Promise(resolve => setTimeout(resolve, ms - TIMER_MS))
  while (performance.now() - from < ms) await new Promise(resolve => setImmediate(resolve))
}
