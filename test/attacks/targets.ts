// Request targets of any form: each gets a problem body, is counted once, and leaves nothing behind.
import { exactly, said } from '../harness/figures.ts'
import type { Figure } from '../harness/figures.ts'
import type { Scenario } from '../harness/scenario.ts'
import { createHolds } from './event-loop.ts'
import type { Holds } from './event-loop.ts'
import { exchange } from './exchange.ts'
import { heapGrowth, WITH_SNAPSHOTS } from './heap.ts'
import { atRest } from './rest.ts'

const PREFIX = '/api/public/v1'

const repeated = (text: string): string => text.repeat(Math.floor(15_000 / text.length))

/** As they stand in the request line, in latin1. */
const TARGETS: readonly string[] = [
  ...String.raw`a://b a: :// http:// http://a http://a/api/public/v1/ping http://[::1 http://a:99999/ http://a@b:1/c?d#e
    file:///etc/passwd javascript:alert(1) * // /// //a/b /\ \ /% /%0 /%00 /%zz /%c0%af /%ff%fe /.. /../../etc/passwd
    /./././. /%2e%2e/%2e%2e /# /? /?? /?a=% /?% /;a=b ? # ping`.split(/\s+/),
  '',
  '/%0d%0aX: y',
  '/\xff\xfe',
  '/\x80',
  ...` / // /% /%2f /ping/ /PING /ping?% /ping?a=%ff /reports/% /reports/%00 /reports/../ping /reports/__proto__
    /reports/constructor /reports/ledger. /reports/ledger.__proto__ /reports/ledger?from=% /reports/ledger?from=%00
    /reports/ledger?from /reports/ledger?__proto__=1 /reports/ledger?from[]=1 /reports/ledger?format=__proto__
    /metrics?codes=__proto__ /metrics?codes=%`
    .split(/\s+/)
    .map(path => PREFIX + path),
  ...'/ . % ? & = ; : @ # * %2e %00 ../ a=& \xe9'
    .split(' ')
    .flatMap(text => ['/', `${PREFIX}/reports/`, `${PREFIX}/ping?`].map(at => at + repeated(text))),
  ...['a,', ',', ' ,'].map(text => `${PREFIX}/metrics?codes=${repeated(text)}`),
  ...['1', '2026-01-01T'].map(text => `${PREFIX}/reports/ledger?from=${repeated(text)}`),
  `${PREFIX}/reports/ledger?${repeated('from=2026-01-01&')}`,
]

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'CONNECT'] as const

interface Seen {
  sent: number
  silent: Set<string>
  withoutProblem: Set<string>
}

async function sendAll(url: string, seen: Seen, holds: Holds): Promise<void> {
  for (const method of METHODS) {
    for (const target of TARGETS) {
      for (const key of ['', 'X-Api-Key: key of organization 1\r\n']) {
        const bytes = `${method} ${target} HTTP/1.1\r\nHost: a\r\n${key}\r\n`
        const what = `${method} ${JSON.stringify(target.slice(0, 60))}${key && ', key'}`
        await holds.during(what, async () => {
          seen.sent += 1
          const { status, code } = await exchange(url, bytes, { method })
          if (status === 0) seen.silent.add(what)
          // why: the response to HEAD has no body
          else if (status >= 400 && code === undefined && method !== 'HEAD') {
            seen.withoutProblem.add(what)
          }
        })
      }
    }
  }
}

export const targets: readonly Scenario[] = [
  {
    name: 'A3 request-targets',
    hypothesis:
      'A request target of any form gets a problem body, is counted once, and leaves neither a request in flight nor memory',
    longestMs: 300_000,
    async run(stage) {
      stage.hasOtherClients = true
      const gateway = await stage.gateway(WITH_SNAPSHOTS)
      const seen: Seen = { sent: 0, silent: new Set(), withoutProblem: new Set() }
      // why: what a first request compiles is not what it costs
      await sendAll(gateway.url, seen, createHolds(gateway.pid))
      const holds = createHolds(gateway.pid)
      const heap = await heapGrowth(stage, gateway, 8, async () => {
        for (let round = 0; round < 20; round += 1) await sendAll(gateway.url, seen, holds)
      })
      const rest = await atRest(gateway)
      return [
        said('requests', seen.sent),
        figureOf('without a response', seen.silent),
        figureOf('without a problem', seen.withoutProblem),
        exactly('counted', await gateway.total('svodka_http_requests_total'), seen.sent),
        ...heap,
        holds.figure(),
        ...rest,
      ]
    },
  },
]

function figureOf(name: string, found: ReadonlySet<string>): Figure {
  return exactly(name, found.size, 0, [...found].slice(0, 5).join('; '))
}
