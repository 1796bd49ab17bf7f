// Headers filled up to the limit: none may hold the event loop, with or without a key.
import { exactly, said } from '../harness/figures.ts'
import type { Gateway } from '../harness/gateway.ts'
import type { Scenario } from '../harness/scenario.ts'
import { createHolds } from './event-loop.ts'
import { exchange } from './exchange.ts'
import { atRest } from './rest.ts'

/** With all other headers it stays below the limit of 16 KiB. */
const FILLED = 15_500

const NAMES = `
  X-Api-Key Authorization Accept Accept-Encoding Accept-Language Cache-Control If-None-Match If-Range Range
  X-Request-Id Min-Data-As-Of Connection Content-Length Content-Type Cookie Expect Forwarded Host
  If-Modified-Since Pragma Prefer TE Traceparent Trailer Transfer-Encoding Upgrade User-Agent X-Unknown`
  .trim()
  .split(/\s+/)

/** What a value begins with, what fills it, and how it ends. */
type Pattern = readonly [begin: string, fill: string, end: string]

const FILLS =
  String.raw`a="", a=";", gzip, gzip;q=0.001, */*, text/csv;q=0.1, a/b;c="\"", a/b; ru;q=0.1, x-y-z, "",
  W/"a", close, max-age=1,`.split(/\s+/)

const PATTERNS: readonly Pattern[] = [
  ...FILLS.map((fill): Pattern => ['', fill, '']),
  ...['x-a1 ,', '"a" ', 'no-cache ,', ', ', '; '].map((fill): Pattern => ['', fill, '']),
  ...[' ', '\t'].map((fill): Pattern => ['a', fill, 'b']),
  ['Bearer a', ' ', 'b'],
  ['Bearer', ' ', 'a'],
  ['Basic ', 'YTph', ''],
  ['Basic ', '=', ''],
  ['a="', '\\"', ''],
  ['a="', '\\', ''],
  ['bytes=', '0-1,', ''],
  ['bytes=', '1-', ''],
  ['bytes=', '9', '-'],
]

function filled([begin, fill, end]: Pattern): string {
  const count = Math.max(0, Math.floor((FILLED - begin.length - end.length) / fill.length))
  return `${begin}${fill.repeat(count)}${end}`
}

/** Every byte that may stand in a header repeated, and the patterns. */
const VALUES: readonly string[] = [
  ...Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
    .filter(byte => !/[\r\n]/.test(byte))
    .map(byte => filled(['', byte, ''])),
  ...PATTERNS.map(filled),
]

function requestOf(name: string, value: string, hasKey: boolean): string {
  const host = name === 'Host' ? '' : 'Host: a\r\n'
  const key = hasKey ? 'X-Api-Key: key of organization 1\r\n' : ''
  return `GET /api/public/v1/reports/ledger HTTP/1.1\r\n${host}${key}${name}: ${value}\r\n\r\n`
}

async function warmUp(gateway: Gateway): Promise<void> {
  await gateway.ask({ report: 'ledger' })
  for (let at = 0; at < 100; at += 1) {
    await exchange(gateway.url, requestOf('X-Unknown', 'a', at % 2 === 0))
  }
}

const TOO_MUCH = 17_000

/** Until names and values alone, without what is between them, are too much. */
function repeated(line: string): string {
  return `${line}\r\n`.repeat(Math.ceil(TOO_MUCH / (line.length - 2)))
}

export const headers: readonly Scenario[] = [
  {
    name: 'A1 filled-headers',
    hypothesis:
      'No header filled up to the limit, with or without a key, holds the event loop for more than 10 ms',
    longestMs: 300_000,
    async run(stage) {
      stage.hasOtherClients = true
      const gateway = await stage.gateway()
      await warmUp(gateway)
      const holds = createHolds(gateway.pid)
      let sent = 0
      let silent = 0
      for (const name of NAMES) {
        for (const value of VALUES) {
          for (const hasKey of [false, true]) {
            const bytes = requestOf(name, value, hasKey)
            const what = `${name}: ${JSON.stringify(value.slice(0, 12))}${hasKey ? ', key' : ''}`
            await holds.during(what, async () => {
              sent += 1
              silent += Number((await exchange(gateway.url, bytes)).status === 0)
            })
          }
        }
      }
      return [
        holds.figure(),
        said('requests', sent),
        exactly('without any response', silent, 0),
        ...(await atRest(gateway)),
      ]
    },
  },
  {
    name: 'A2 too-large-headers',
    hypothesis: 'More than 16 KiB of headers, in one or in thousands, are 431 with a problem body',
    async run(stage) {
      stage.hasOtherClients = true
      const gateway = await stage.gateway()
      await warmUp(gateway)
      // why: a length that is no number is malformed before its size counts
      const names = NAMES.filter(name => name !== 'Content-Length')
      const heads = [
        ...names.map(name => requestOf(name, 'a'.repeat(TOO_MUCH), true)),
        ...names.map(name => requestOf(name, ','.repeat(TOO_MUCH), false)),
        ...['a: b', 'X-Api-Key: a', 'Accept: */*', 'Cookie: a'].map(line =>
          requestOf('X-Unknown', `a\r\n${repeated(line)}a: b`, true),
        ),
        `GET /${'a'.repeat(TOO_MUCH)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      ]
      const holds = createHolds(gateway.pid)
      const accepted = new Set<string>()
      for (const head of heads) {
        await holds.during(head.slice(0, 80), async () => {
          const { status, code } = await exchange(gateway.url, head)
          if (status !== 431 || code !== 'headers_too_large') accepted.add(head.slice(0, 80))
        })
      }
      const [other] = accepted
      return [
        exactly(`of ${heads.length}, not told headers_too_large`, accepted.size, 0, other),
        holds.figure(),
        ...(await atRest(gateway)),
      ]
    },
  },
]
