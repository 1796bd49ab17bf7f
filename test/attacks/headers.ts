// Headers filled up to the limit: none may hold the event loop, with or without a key.
import type { Gateway } from '../harness/gateway.ts'
import type { Figure, Scenario } from '../harness/scenario.ts'
import { HELD_AT_MOST_MS, heldMs } from './event-loop.ts'
import { exchange } from './exchange.ts'
import { atRest } from './rest.ts'

/** With all other headers it stays below the limit of 16 KiB. */
const FILLED = 15_500

/** The first of them are what the gateway reads itself. */
const OF_OURS = 11
const NAMES = [
  'X-Api-Key',
  'Authorization',
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Cache-Control',
  'If-None-Match',
  'If-Range',
  'Range',
  'X-Request-Id',
  'Min-Data-As-Of',
  'Connection',
  'Content-Length',
  'Content-Type',
  'Cookie',
  'Expect',
  'Forwarded',
  'Host',
  'If-Modified-Since',
  'Pragma',
  'Prefer',
  'TE',
  'Traceparent',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
  'User-Agent',
  'X-Unknown',
]

/** What a value begins with, what fills it, and how it ends. */
type Pattern = readonly [begin: string, fill: string, end: string]

const PATTERNS: readonly Pattern[] = [
  ['a', ' ', 'b'],
  ['a', '\t', 'b'],
  ['Bearer a', ' ', 'b'],
  ['Bearer', ' ', 'a'],
  ['Basic ', 'YTph', ''],
  ['Basic ', '=', ''],
  ['a="', '\\"', ''],
  ['a="', '\\', ''],
  ['', 'a="",', ''],
  ['', 'a=";",', ''],
  ['', 'gzip,', ''],
  ['', 'gzip;q=0.001,', ''],
  ['', 'x-a1 ,', ''],
  ['', '*/*,', ''],
  ['', 'text/csv;q=0.1,', ''],
  ['', 'a/b;c="\\"",', ''],
  ['', 'a/b;', ''],
  ['', 'ru;q=0.1,', ''],
  ['', 'x-y-z,', ''],
  ['', '"",', ''],
  ['', 'W/"a",', ''],
  ['', '"a" ', ''],
  ['bytes=', '0-1,', ''],
  ['bytes=', '1-', ''],
  ['bytes=', '9', '-'],
  ['', 'close,', ''],
  ['', 'max-age=1,', ''],
  ['', 'no-cache ,', ''],
  ['', ', ', ''],
  ['', '; ', ''],
]

function filled([begin, fill, end]: Pattern, length: number): string {
  const count = Math.max(0, Math.floor((length - begin.length - end.length) / fill.length))
  return `${begin}${fill.repeat(count)}${end}`
}

/** Every byte that may stand in a header repeated, then the patterns. */
function* values(isQuick: boolean): Iterable<string> {
  const bytes = isQuick ? [' ', ',', 'a'] : Array.from({ length: 256 }, (_, at) => byte(at))
  for (const text of bytes) if (!/[\r\n]/.test(text)) yield filled(['', text, ''], FILLED)
  for (const pattern of PATTERNS) yield filled(pattern, FILLED)
}

function byte(code: number): string {
  return String.fromCharCode(code)
}

interface Worst {
  readonly ms: number
  readonly what: string
}

const WITH_KEY = 'X-Api-Key: key of organization 1\r\n'
const PATH = '/api/public/v1/reports/ledger'

function requestOf(name: string, value: string, hasKey: boolean): string {
  const host = name === 'Host' ? '' : 'Host: a\r\n'
  return `GET ${PATH} HTTP/1.1\r\n${host}${hasKey ? WITH_KEY : ''}${name}: ${value}\r\n\r\n`
}

async function warmedUp(gateway: Gateway): Promise<void> {
  for (let at = 0; at < 100; at += 1) {
    await exchange(gateway.url, requestOf('X-Unknown', 'a', at % 2 === 0))
  }
}

const filledHeaders: Scenario = {
  fault: 'A1',
  name: 'filled-headers',
  hypothesis:
    'No header filled up to the limit, with or without a key, holds the event loop for more than 10 ms',
  quick: true,
  longestMs: 300_000,
  async run(world) {
    world.hasOtherClients = true
    const gateway = await world.gateway()
    await gateway.ask({ report: 'ledger' })
    await warmedUp(gateway)
    let worst: Worst = { ms: 0, what: 'none' }
    const counts = new Map<number, number>()
    for (const name of world.isQuick ? NAMES.slice(0, OF_OURS) : NAMES) {
      for (const value of values(world.isQuick)) {
        for (const hasKey of [false, true]) {
          const bytes = requestOf(name, value, hasKey)
          const ms = await heldMs(gateway.pid, async () => {
            const { status } = await exchange(gateway.url, bytes)
            counts.set(status, (counts.get(status) ?? 0) + 1)
          })
          const what = `${name}: ${JSON.stringify(value.slice(0, 12))}${hasKey ? ', key' : ''}`
          if (ms > worst.ms) worst = { ms, what }
        }
      }
    }
    return [...figuresOf(worst, counts), ...(await atRest(gateway))]
  },
}

function figuresOf({ ms, what }: Worst, counts: ReadonlyMap<number, number>): Figure[] {
  const sent = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return [
    { name: 'longest hold', value: ms, unit: 'ms', atMost: HELD_AT_MOST_MS, detail: what },
    { name: 'requests', value: sent },
    { name: 'without any response', value: counts.get(0) ?? 0, exactly: 0 },
  ]
}

const TOO_MUCH = 17_000

/** Until names and values alone, without what is between them, are too much. */
function repeated(line: string): string {
  return `${line}\r\n`.repeat(Math.ceil(TOO_MUCH / (line.length - 2)))
}

const tooLarge: Scenario = {
  fault: 'A2',
  name: 'too-large-headers',
  hypothesis: 'More than 16 KiB of headers, in one or in thousands, are 431 with a problem body',
  async run(world) {
    world.hasOtherClients = true
    const gateway = await world.gateway()
    await warmedUp(gateway)
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
    let worst = 0
    let refused = 0
    for (const head of heads) {
      let isRefused = false
      const ms = await heldMs(gateway.pid, async () => {
        const { status, code } = await exchange(gateway.url, head)
        isRefused = status === 431 && code === 'headers_too_large'
      })
      worst = Math.max(worst, ms)
      if (isRefused) refused += 1
    }
    return [
      { name: `of ${heads.length}, told headers_too_large`, value: refused, exactly: heads.length },
      { name: 'longest hold', value: worst, unit: 'ms', atMost: HELD_AT_MOST_MS },
      ...(await atRest(gateway)),
    ]
  },
}

export const headers: readonly Scenario[] = [filledHeaders, tooLarge]
