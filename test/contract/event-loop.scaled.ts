// No request of up to 16 KiB blocks the event loop. The proof sends all requests, each with and without a key; make test a
// third of them.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect } from 'chai'
import { startGatewayThread, type GatewayThread } from '../harness/gateway-thread.ts'
import { IS_PROOF } from '../harness/is-proof.ts'
import { sendRaw } from '../harness/raw-socket.ts'
import { gatewaysOfTests } from '../harness/shops-gateway.ts'
import { sharedShops, shopsEnvironment } from '../harness/shops.ts'
import { coldPath, KEY, PREFIX, shopsFolder } from './gateways.ts'
import { longRows } from './register.ts'

const MAX_BLOCKED_MS = 10
/** Other processes may delay a try, so one fast try out of this number is enough. */
const TRIES = 30
/** With the rest of the request just below 16 KiB. */
const FILL_BYTES = 16_000
/** Fewer, since the limit includes an overhead for each of many headers. */
const MANY_BYTES = 15_500

const NAMES =
  'Accept|Accept-Charset|Accept-Encoding|Accept-Language|Authorization|Cache-Control|Connection|Content-Type|Cookie|Expect|Forwarded|If-Modified-Since|If-None-Match|Range|Transfer-Encoding|Upgrade|User-Agent|X-Api-Key|X-Forwarded-Host|X-Request-Id'
const BEGINNINGS = [
  'Accept: a/b;q=',
  'Accept-Language: ru;q=',
  'Authorization: Basic ',
  'Authorization: Bearer ',
  'If-None-Match: "',
  'If-Range: "a"\r\nRange: ',
  'Range: bytes=',
]
const HEADERS = [...NAMES.split('|').map(name => `${name}: `), ...BEGINNINGS]

const REPORT = `${PREFIX}/reports/receipts`
const PLACES =
  '/reports/receipts.|/reports/receipts?|/reports/receipts?from=|/reports/receipts?from=2026-01-01T00:00:00.|/reports/receipts?format=|/metrics?codes='
const TARGETS = ['/', '//', 'http://', 'http://host/', `${PREFIX}/`, `${PREFIX}/reports/`].concat(
  PLACES.split('|').map(index => PREFIX + index),
)

const BYTES = ['\t', '\x80', '\xa0', '\xff'].concat(
  Array.from({ length: 95 }, (_, code) => String.fromCharCode(0x20 + code)),
)
/** Patterns that restart parsers of lists, quotes, escapes and numbers. */
const SEVERAL_BYTES = [
  'a,|a, |, | ,|,;|a;|a;q=0,|a;q=0.1,|a;q=1;q=1,|;q=|a/b,|a/b;c=d,|a/b;c="d",|a/b;c="|*/*,|text/csv,',
  'en,|en-a,|ru,en;q=0.1,|*;q=0.1,|gzip,|br;q=0.1,|""|"\\"|a="\\"\\"|"a",|"a" |W/"|W/"a",|no-cache,',
  'no-cache=|0-0,|bytes=0-0,| \t|a |a=|a&|a=b&|a[]=1&|from=&|&=|%41|%25|%2525|%zz|%E2%98|%F0%9F%98%80',
  '+%20|/a|./|../|//|?a|#a|@a|:1|[::1]|QUJD|QUI=',
].flatMap(line => line.split('|'))

describe('the event loop', function () {
  this.timeout(300_000)
  let gateway: GatewayThread
  before(async () => {
    gateway = await startGatewayThread(shopsEnvironment(await sharedShops()))
    for (let n = 0; n < 300; n += 1) await blockedMs(requestOf(REPORT, KEY))
  })
  after(() => gateway?.stop())

  /** Blocked time during a request on a new connection. */
  async function blockedMs(text: string): Promise<number> {
    const before = gateway.heldMs()
    await sendRaw(gateway.url, text)
    return gateway.heldMs() - before
  }

  async function minBlockedMs(text: string): Promise<number> {
    let minimum = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < TRIES && minimum > MAX_BLOCKED_MS; attempt += 1) {
      minimum = Math.min(minimum, await blockedMs(text))
    }
    return minimum
  }

  function expectNotBlockedBy(
    name: string,
    requests: ReadonlyArray<(key: string) => string>,
  ): void {
    it(`is not blocked by ${name}`, async () => {
      const slow: string[] = []
      for (const [at, requestWith] of requests.entries()) {
        // why: each header and each filling, but not each pair of them
        if (!IS_PROOF && at % 3 > 0) continue
        for (const key of IS_PROOF ? [KEY, ''] : [at % 2 === 0 ? KEY : '']) {
          const text = requestWith(key)
          const minimum = await minBlockedMs(text)
          if (minimum > MAX_BLOCKED_MS)
            slow.push(`${minimum.toFixed(1)} ms: ${JSON.stringify(text.slice(0, 120))}`)
        }
      }
      expect(slow).to.deep.equal([])
    })
  }

  const fills = [...SEVERAL_BYTES, ...(IS_PROOF ? BYTES : [' ', '\t', ',', '%', '\xa0'])]
  expectNotBlockedBy(
    'a header of any bytes',
    HEADERS.flatMap(header =>
      fills.map(bytes => key => requestOf(REPORT, `${key}${header}${filled(bytes)}\r\n`)),
    ),
  )
  expectNotBlockedBy(
    'a header of blanks between two letters',
    HEADERS.flatMap(header =>
      [' ', '\t', ' \t'].map(
        blanks => key => requestOf(REPORT, `${key}${header}a${filled(blanks)}b\r\n`),
      ),
    ),
  )
  expectNotBlockedBy(
    'a request target of any bytes',
    TARGETS.flatMap(target => fills.map(bytes => key => requestOf(target + filled(bytes), key))),
  )
  const lines: ReadonlyArray<(index: number) => string> = [
    () => 'a: ',
    index => `a${index}: `,
    ...[...HEADERS, 'Host: '].map(header => () => `${header}a`),
    ...HEADERS.map(header => (index: number) => `${header}a${index}`),
  ]
  expectNotBlockedBy(
    'many small headers',
    lines.map(line => key => requestOf(REPORT, key + many(line))),
  )
})

// why: a try takes half a second
if (IS_PROOF) {
  describe('a comparison of 7 MB bodies', () => {
    const start = gatewaysOfTests()

    it('does not block the event loop', async () => {
      const { ask } = await start({
        SQL_DIR: shopsFolder({ 'reports/sales/many.sql': longRows() }),
      })
      const identity = { method: 'HEAD', headers: { 'Accept-Encoding': 'identity' } }
      const delay = monitorEventLoopDelay({ resolution: 1 })
      let minimum = Number.POSITIVE_INFINITY
      for (let attempt = 0; attempt < TRIES && minimum > MAX_BLOCKED_MS; attempt += 1) {
        await ask(coldPath('many', attempt), identity)
        await ask(coldPath('many', attempt + 1), identity)
        delay.reset()
        delay.enable()
        const { status } = await ask(
          `${coldPath('many.csv', attempt + 1)}&compare=previous`,
          identity,
        )
        delay.disable()
        expect(status).to.equal(200)
        minimum = Math.min(minimum, delay.max / 1e6)
      }
      expect(minimum).to.be.at.most(MAX_BLOCKED_MS)
    })
  })
}

function filled(bytes: string): string {
  return bytes.repeat(Math.floor(FILL_BYTES / bytes.length))
}

function many(line: (index: number) => string): string {
  let text = ''
  for (let index = 0; text.length < MANY_BYTES; index += 1) text += `${line(index)}\r\n`
  return text
}

function requestOf(target: string, headers: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`
}
