import { expect } from 'chai'
import { startGatewayThread } from '../support/gateway-thread.ts'
import type { GatewayThread } from '../support/gateway-thread.ts'
import { sendRaw } from '../support/raw-socket.ts'
import { sharedShops, shopsEnvironment } from '../support/shops.ts'

const PREFIX = '/api/public/v1'
const MAX_HELD_MS = 10
/** Another process may have had the core: what one try in so many does in time is fast enough. */
const TRIES = 8
/** With the rest of the request this is just below 16 KiB. */
const FILL_BYTES = 16_000
/** Names of many headers are counted with what is beside them. */
const MANY_BYTES = 15_500

const HEADERS = [
  'Accept: ',
  'Accept: a/b;q=',
  'Accept-Charset: ',
  'Accept-Encoding: ',
  'Accept-Language: ',
  'Accept-Language: ru;q=',
  'Authorization: ',
  'Authorization: Basic ',
  'Authorization: Bearer ',
  'Cache-Control: ',
  'Connection: ',
  'Content-Type: ',
  'Cookie: ',
  'Expect: ',
  'Forwarded: ',
  'If-Modified-Since: ',
  'If-None-Match: ',
  'If-None-Match: "',
  'If-Range: "a"\r\nRange: ',
  'Range: ',
  'Range: bytes=',
  'Transfer-Encoding: ',
  'Upgrade: ',
  'User-Agent: ',
  'X-Api-Key: ',
  'X-Forwarded-Host: ',
  'X-Request-Id: ',
]

const TARGETS = [
  '/',
  '//',
  'http://',
  'http://host/',
  `${PREFIX}/`,
  `${PREFIX}/reports/`,
  `${PREFIX}/reports/receipts.`,
  `${PREFIX}/reports/receipts?`,
  `${PREFIX}/reports/receipts?from=`,
  `${PREFIX}/reports/receipts?from=2026-01-01T00:00:00.`,
  `${PREFIX}/reports/receipts?format=`,
  `${PREFIX}/metrics?codes=`,
]

const ONE_BYTE = ['\t', '\x80', '\xa0', '\xff'].concat(
  Array.from({ length: 95 }, (_, code) => String.fromCharCode(0x20 + code)),
)
/** That make readers of lists, quotes, escapes and numbers begin again and again. */
const SEVERAL_BYTES = [
  'a,',
  'a, ',
  ', ',
  ' ,',
  ',;',
  'a;',
  'a;q=0,',
  'a;q=0.1,',
  'a;q=1;q=1,',
  ';q=',
  'a/b,',
  'a/b;c=d,',
  'a/b;c="d",',
  'a/b;c="',
  '*/*,',
  'text/csv,',
  'en,',
  'en-a,',
  'ru,en;q=0.1,',
  '*;q=0.1,',
  'gzip,',
  'br;q=0.1,',
  '""',
  '"\\"',
  'a="\\"\\"',
  '"a",',
  '"a" ',
  'W/"',
  'W/"a",',
  'no-cache,',
  'no-cache=',
  '0-0,',
  'bytes=0-0,',
  ' \t',
  'a ',
  'a=',
  'a&',
  'a=b&',
  'a[]=1&',
  'from=&',
  '&=',
  '%41',
  '%25',
  '%2525',
  '%zz',
  '%E2%98',
  '%F0%9F%98%80',
  '+%20',
  '/a',
  './',
  '../',
  '//',
  '?a',
  '#a',
  '@a',
  ':1',
  '[::1]',
  'QUJD',
  'QUI=',
]

describe('the event loop', function () {
  this.timeout(300_000)
  let gateway: GatewayThread
  before(async () => {
    const shops = await sharedShops()
    gateway = await startGatewayThread(shopsEnvironment(shops))
    for (let n = 0; n < 300; n += 1) await held(requestOf(`${PREFIX}/reports/receipts`, KEY))
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

  async function expectNoneHolds(texts: readonly string[]): Promise<void> {
    const slow: string[] = []
    for (const text of texts) {
      const least = await leastHeld(text)
      if (least > MAX_HELD_MS)
        slow.push(`${least.toFixed(1)} ms: ${JSON.stringify(text.slice(0, 120))}`)
    }
    expect(slow).to.deep.equal([])
  }

  for (const [name, key] of [
    ['without a key', ''],
    ['with a valid key', 'X-Api-Key: key of shop 1\r\n'],
  ] as const) {
    it(`is not held by a header of any bytes, ${name}`, async () => {
      await expectNoneHolds(
        HEADERS.flatMap(header =>
          [...ONE_BYTE, ...SEVERAL_BYTES].map(bytes =>
            requestOf(`${PREFIX}/reports/receipts`, `${key}${header}${filled(bytes)}\r\n`),
          ),
        ),
      )
    })

    it(`is not held by a header of blanks between two letters, ${name}`, async () => {
      await expectNoneHolds(
        HEADERS.flatMap(header =>
          [' ', '\t', ' \t'].map(blanks =>
            requestOf(`${PREFIX}/reports/receipts`, `${key}${header}a${filled(blanks)}b\r\n`),
          ),
        ),
      )
    })

    it(`is not held by many small headers, ${name}`, async () => {
      const many = (line: (place: number) => string): string => {
        let text = ''
        for (let place = 0; text.length < MANY_BYTES; place += 1) text += `${line(place)}\r\n`
        return text
      }
      const lines = [
        () => 'a: ',
        (place: number) => `a${place}: `,
        ...[...HEADERS, 'Host: '].map(header => () => `${header}a`),
        ...HEADERS.map(header => (place: number) => `${header}a${place}`),
      ]
      await expectNoneHolds(
        lines.map(line => requestOf(`${PREFIX}/reports/receipts`, key + many(line))),
      )
    })

    it(`is not held by a request target of any bytes, ${name}`, async () => {
      await expectNoneHolds(
        TARGETS.flatMap(target =>
          [...ONE_BYTE, ...SEVERAL_BYTES].map(bytes => requestOf(target + filled(bytes), key)),
        ),
      )
    })
  }
})

const KEY = 'X-Api-Key: key of shop 1\r\n'

function filled(bytes: string): string {
  return bytes.repeat(Math.floor(FILL_BYTES / bytes.length))
}

function requestOf(target: string, headers: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`
}
