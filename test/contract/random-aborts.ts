// Requests of all kinds, most of which disconnect at random. The test sends a part of them, the proof all of them.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { scrape } from '../harness/at-rest.ts'
import { sumOf } from '../harness/exposition.ts'
import type { Sample } from '../harness/exposition.ts'
import { gatewayProcessesOfTests } from './gateway-processes.ts'
import { PREFIX, shopsFolder } from './gateways.ts'
import { registerOf } from './register.ts'

const CONCURRENCY = 16
const KEYS = ['key of shop 1', 'key of shop 1', 'key of shop 2', 'key of shop 4', 'unknown']
const FORMATS = ['json', 'ndjson', 'csv', 'xlsx', 'parquet']
const REPORTS = ['receipts', 'whole', 'streamed', 'sleeps_short', 'fraction', 'too_many_rows']

interface Sent {
  /** `none` if it is not a report. */
  readonly format: string
  /** 0 if the client disconnected before. */
  readonly status: number
  readonly isAborted: boolean
}

type Random = (below: number) => number

/** @see https://en.wikipedia.org/wiki/Linear_congruential_generator, with the parameters of glibc */
function createRandom(seed: number): Random {
  let state = seed
  return below => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % below
  }
}

export function describeRandomAborts(count: number): void {
  const seed = Number(process.env['ABORTS_SEED'] ?? Date.now() % 1_000_000)

  describe(`clients that disconnect at random, with ABORTS_SEED=${seed}`, function () {
    this.timeout(1_800_000)
    const start = gatewayProcessesOfTests()

    it(`release all resources, and are counted: ${count} requests`, async () => {
      const gateway = await start({
        SQL_DIR: shopsFolder({
          'reports/sales/whole.sql': registerOf(800),
          'reports/sales/streamed.sql': registerOf(6000),
          'reports/sales/sleeps_short.sql': registerOf(1, {
            units: 'length(wait_seconds(0.03)::text)',
          }),
        }),
        CACHE_MAX_ENTRY_BYTES: '256KiB',
        REPORT_POOL_SIZE: '4',
      })
      const before = await scrape(gateway.opsUrl)
      const random = createRandom(seed)
      const sent: Sent[] = []
      let remaining = count
      await Promise.all(
        Array.from({ length: CONCURRENCY }, async () => {
          while ((remaining -= 1) >= 0) sent.push(await send(gateway.url, random))
        }),
      )
      const after = await gateway.expectNothingLeft()
      expectCounted(
        sent,
        (name, labels) => sumOf(after, name, labels) - sumOf(before, name, labels),
      )
      expect(labelsOf(after, 'status'), 'statuses').to.not.include('0')
    })
  })
}

function labelsOf(samples: readonly Sample[], label: string): string[] {
  return [...new Set(samples.flatMap(({ labels }) => labels[label] ?? []))]
}

/** @param counted since the first request */
function expectCounted(
  sent: readonly Sent[],
  counted: (name: string, labels?: Readonly<Record<string, string>>) => number,
): void {
  const count = (is: (one: Sent) => boolean): number => sent.filter(is).length
  const unknown = count(({ status }) => status === 0)
  const all = counted('svodka_http_requests_total')
  expect(all, 'requests').to.be.within(sent.length - unknown, sent.length)
  expect(counted('svodka_http_request_duration_seconds_count'), 'durations').to.equal(all)
  for (const status of new Set(sent.map(one => one.status).filter(one => one !== 0))) {
    const known = count(one => one.status === status)
    const actual = counted('svodka_http_requests_total', { status: String(status) })
    expect(actual, `responses ${status}`).to.be.within(known, known + unknown)
  }
  for (const format of FORMATS) {
    const known = count(one => one.format === format && one.status === 200)
    // why: a problem is counted if its format was known
    const maximum = count(one => one.format === format && ![401, 402].includes(one.status))
    const actual = counted('svodka_report_answers_total', { format })
    expect(actual, `responses in ${format}`).to.be.within(known, maximum)
  }
  const aborts = count(({ isAborted }) => isAborted)
  expect(counted('svodka_http_client_aborts_total'), 'aborts').to.be.within(1, aborts)
  expect(counted('svodka_cache_requests_total'), 'cache lookups').to.be.within(1, all)
  expect(counted('svodka_process_errors_total'), 'uncaught errors').to.equal(0)
}

/** Never rejects. */
function send(url: string, random: Random): Promise<Sent> {
  const isReport = random(8) > 0
  const format = FORMATS[random(FORMATS.length)]!
  const day = String(1 + random(28)).padStart(2, '0')
  const report = `/reports/${REPORTS[random(REPORTS.length)]!}.${format}?to=2027-05-${day}`
  const path = isReport ? report : ['/metrics', '/ping', '/reports'][random(3)]!
  const method = random(8) > 0 ? 'GET' : 'HEAD'
  const version = random(8) > 0 ? '1.1' : '1.0'
  const lines = [
    `${method} ${PREFIX}${path} HTTP/${version}`,
    'Host: x',
    'Connection: close',
    `X-Api-Key: ${KEYS[random(KEYS.length)]!}`,
    `Accept-Encoding: ${['identity', 'gzip'][random(2)]!}`,
    ...(random(3) === 0 ? ['Cache-Control: no-cache'] : []),
  ]
  const abort = ['never', 'after a time', 'at the first byte', 'after bytes'][random(4)]!
  const abortMs = random(40)
  const abortBytes = random(1_000_000)
  const isReset = random(2) === 0
  const pauseMs = random(6) === 0 ? random(300) : 0

  return new Promise(resolve => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let status = 0
    let byteCount = 0
    let isAborted = false
    const disconnect = (): void => {
      isAborted = true
      if (isReset) socket.resetAndDestroy()
      else socket.destroy()
    }
    const timer = abort === 'after a time' ? setTimeout(disconnect, abortMs) : undefined
    socket
      .on('data', chunk => {
        if (byteCount === 0) {
          status = Number(chunk.toString('latin1', 9, 12))
          if (abort === 'at the first byte') return disconnect()
          if (pauseMs > 0) {
            socket.pause()
            void sleep(pauseMs).then(() => socket.resume())
          }
        }
        byteCount += chunk.length
        if (abort === 'after bytes' && byteCount >= abortBytes) disconnect()
      })
      .on('error', () => {})
      .on('close', () => {
        clearTimeout(timer)
        resolve({ format: isReport ? format : 'none', status, isAborted })
      })
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  })
}
