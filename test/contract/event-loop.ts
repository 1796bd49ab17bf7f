// That no request of 16 KiB holds the event loop: a part of them in the tests, all of them in the proof.
import { expect } from 'chai'
import { startGatewayThread } from '../harness/gateway-thread.ts'
import type { GatewayThread } from '../harness/gateway-thread.ts'
import { sendRaw } from '../harness/raw-socket.ts'
import { sharedShops, shopsEnvironment } from '../harness/shops.ts'
import { KEY, PREFIX } from './gateways.ts'

const MAX_HELD_MS = 10
/** Another process may have had the core: what one try in so many does in time is fast enough. */
const TRIES = 30
/** With the rest of the request this is just below 16 KiB. */
const FILL_BYTES = 16_000
/** Names of many headers are counted with what is beside them. */
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
  PLACES.split('|').map(place => PREFIX + place),
)

const BYTES = ['\t', '\x80', '\xa0', '\xff'].concat(
  Array.from({ length: 95 }, (_, code) => String.fromCharCode(0x20 + code)),
)
/** These make readers of lists, quotes, escapes and numbers begin again and again. */
const SEVERAL_BYTES = [
  'a,|a, |, | ,|,;|a;|a;q=0,|a;q=0.1,|a;q=1;q=1,|;q=|a/b,|a/b;c=d,|a/b;c="d",|a/b;c="|*/*,|text/csv,',
  'en,|en-a,|ru,en;q=0.1,|*;q=0.1,|gzip,|br;q=0.1,|""|"\\"|a="\\"\\"|"a",|"a" |W/"|W/"a",|no-cache,',
  'no-cache=|0-0,|bytes=0-0,| \t|a |a=|a&|a=b&|a[]=1&|from=&|&=|%41|%25|%2525|%zz|%E2%98|%F0%9F%98%80',
  '+%20|/a|./|../|//|?a|#a|@a|:1|[::1]|QUJD|QUI=',
].flatMap(line => line.split('|'))

/** @param isWhole all requests, each with a key and without one */
export function describeEventLoop(isWhole: boolean): void {
  describe('the event loop', function () {
    this.timeout(300_000)
    let gateway: GatewayThread
    before(async () => {
      gateway = await startGatewayThread(shopsEnvironment(await sharedShops()))
      for (let n = 0; n < 300; n += 1) await held(requestOf(REPORT, KEY))
    })
    after(() => gateway?.stop())

    /** By a request on a connection of its own. */
    async function held(text: string): Promise<number> {
      const before = gateway.heldMs()
      await sendRaw(gateway.url, text)
      return gateway.heldMs() - before
    }

    async function leastHeld(text: string): Promise<number> {
      let least = Number.POSITIVE_INFINITY
      for (let tried = 0; tried < TRIES && least > MAX_HELD_MS; tried += 1) {
        least = Math.min(least, await held(text))
      }
      return least
    }

    function isNotHeldBy(name: string, requests: ReadonlyArray<(key: string) => string>): void {
      it(`is not held by ${name}`, async () => {
        const slow: string[] = []
        for (const [at, requestWith] of requests.entries()) {
          for (const key of isWhole ? [KEY, ''] : [at % 2 === 0 ? KEY : '']) {
            const text = requestWith(key)
            const least = await leastHeld(text)
            if (least > MAX_HELD_MS)
              slow.push(`${least.toFixed(1)} ms: ${JSON.stringify(text.slice(0, 120))}`)
          }
        }
        expect(slow).to.deep.equal([])
      })
    }

    const fills = [...SEVERAL_BYTES, ...(isWhole ? BYTES : [' ', '\t', ',', '%', '\xa0'])]
    isNotHeldBy(
      'a header of any bytes',
      HEADERS.flatMap(header =>
        fills.map(bytes => key => requestOf(REPORT, `${key}${header}${filled(bytes)}\r\n`)),
      ),
    )
    isNotHeldBy(
      'a header of blanks between two letters',
      HEADERS.flatMap(header =>
        [' ', '\t', ' \t'].map(
          blanks => key => requestOf(REPORT, `${key}${header}a${filled(blanks)}b\r\n`),
        ),
      ),
    )
    isNotHeldBy(
      'a request target of any bytes',
      TARGETS.flatMap(target => fills.map(bytes => key => requestOf(target + filled(bytes), key))),
    )
    const lines: ReadonlyArray<(place: number) => string> = [
      () => 'a: ',
      place => `a${place}: `,
      ...[...HEADERS, 'Host: '].map(header => () => `${header}a`),
      ...HEADERS.map(header => (place: number) => `${header}a${place}`),
    ]
    isNotHeldBy(
      'many small headers',
      lines.map(line => key => requestOf(REPORT, key + many(line))),
    )
  })
}

function filled(bytes: string): string {
  return bytes.repeat(Math.floor(FILL_BYTES / bytes.length))
}

function many(line: (place: number) => string): string {
  let text = ''
  for (let place = 0; text.length < MANY_BYTES; place += 1) text += `${line(place)}\r\n`
  return text
}

function requestOf(target: string, headers: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`
}
