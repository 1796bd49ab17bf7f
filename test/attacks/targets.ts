// Request targets of any form: each gets a problem body, is counted once, and leaves nothing behind.
import { sumOf } from '../harness/exposition.ts'
import type { Gateway } from '../harness/gateway.ts'
import type { Figure, Scenario } from '../harness/scenario.ts'
import { HELD_AT_MOST_MS, heldMs } from './event-loop.ts'
import { exchange } from './exchange.ts'
import type { Reply } from './exchange.ts'
import { heapGrowth, WITH_SNAPSHOTS } from './heap.ts'
import { atRest } from './rest.ts'

const PREFIX = '/api/public/v1'

/** As they stand in the request line, in latin1. */
const TARGETS: readonly string[] = [
  'a://b',
  'a:',
  '://',
  'http://',
  'http://a',
  'http://a/api/public/v1/ping',
  'http://[::1',
  'http://a:99999/',
  'http://a@b:1/c?d#e',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '*',
  '//',
  '///',
  '//a/b',
  '/\\',
  '\\',
  '/%',
  '/%0',
  '/%00',
  '/%0d%0aX: y',
  '/%zz',
  '/%c0%af',
  '/%ff%fe',
  '/\xff\xfe',
  '/\x80',
  '/..',
  '/../../etc/passwd',
  '/./././.',
  '/%2e%2e/%2e%2e',
  '/#',
  '/?',
  '/??',
  '/?a=%',
  '/?%',
  '/;a=b',
  '?',
  '#',
  'ping',
  '',
  PREFIX,
  `${PREFIX}/`,
  `${PREFIX}//`,
  `${PREFIX}/%`,
  `${PREFIX}/%2f`,
  `${PREFIX}/ping/`,
  `${PREFIX}/PING`,
  `${PREFIX}/ping?%`,
  `${PREFIX}/ping?a=%ff`,
  `${PREFIX}/reports/%`,
  `${PREFIX}/reports/%00`,
  `${PREFIX}/reports/../ping`,
  `${PREFIX}/reports/__proto__`,
  `${PREFIX}/reports/constructor`,
  `${PREFIX}/reports/ledger.`,
  `${PREFIX}/reports/ledger.__proto__`,
  `${PREFIX}/reports/ledger?from=%`,
  `${PREFIX}/reports/ledger?from=%00`,
  `${PREFIX}/reports/ledger?from`,
  `${PREFIX}/reports/ledger?__proto__=1`,
  `${PREFIX}/reports/ledger?from[]=1`,
  `${PREFIX}/reports/ledger?format=__proto__`,
  `${PREFIX}/metrics?codes=__proto__`,
  `${PREFIX}/metrics?codes=%`,
  ...[
    '/',
    '.',
    '%',
    '?',
    '&',
    '=',
    ';',
    ':',
    '@',
    '#',
    '*',
    '%2e',
    '%00',
    '../',
    'a=&',
    '\xe9',
  ].flatMap(text => [
    `/${repeated(text)}`,
    `${PREFIX}/reports/${repeated(text)}`,
    `${PREFIX}/ping?${repeated(text)}`,
  ]),
  `${PREFIX}/metrics?codes=${repeated('a,')}`,
  `${PREFIX}/metrics?codes=${repeated(',')}`,
  `${PREFIX}/metrics?codes=${repeated(' ,')}`,
  `${PREFIX}/reports/ledger?from=${repeated('1')}`,
  `${PREFIX}/reports/ledger?from=${repeated('2026-01-01T')}`,
  `${PREFIX}/reports/ledger?${repeated('from=2026-01-01&')}`,
]

function repeated(text: string): string {
  return text.repeat(Math.floor(15_000 / text.length))
}

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'CONNECT'] as const

interface Seen {
  sent: number
  silent: Set<string>
  withoutProblem: Set<string>
  held: { ms: number; what: string }
}

async function sendAll(gateway: Gateway, methods: readonly string[], seen: Seen): Promise<void> {
  for (const method of methods) {
    for (const target of TARGETS) {
      for (const key of ['', 'X-Api-Key: key of organization 1\r\n']) {
        const bytes = `${method} ${target} HTTP/1.1\r\nHost: a\r\n${key}\r\n`
        let reply: Reply | undefined
        const ms = await heldMs(gateway.pid, async () => {
          seen.sent += 1
          reply = await exchange(gateway.url, bytes, { method })
        })
        const { status = 0, code } = reply ?? {}
        const what = `${method} ${JSON.stringify(target.slice(0, 60))}${key && ', key'}`
        if (ms > seen.held.ms) seen.held = { ms, what }
        if (status === 0) seen.silent.add(what)
        // why: the response to HEAD has no body
        else if (status >= 400 && code === undefined && method !== 'HEAD')
          seen.withoutProblem.add(what)
      }
    }
  }
}

const targetsOfAnyForm: Scenario = {
  fault: 'A3',
  name: 'request-targets',
  hypothesis:
    'A request target of any form gets a problem body, is counted once, and leaves neither a request in flight nor memory',
  quick: true,
  longestMs: 300_000,
  async run(world) {
    world.hasOtherClients = true
    const gateway = await world.gateway({ settings: WITH_SNAPSHOTS })
    const seen: Seen = {
      sent: 0,
      silent: new Set(),
      withoutProblem: new Set(),
      held: { ms: 0, what: 'none' },
    }
    const methods = world.isQuick ? METHODS.slice(0, 1) : METHODS
    const rounds = world.isQuick ? 1 : 20
    await sendAll(gateway, methods, seen)
    seen.held = { ms: 0, what: 'none' }
    const heap = await heapGrowth(world, gateway, 8, async () => {
      for (let round = 0; round < rounds; round += 1) await sendAll(gateway, methods, seen)
    })
    const rest = await atRest(gateway)
    const counted = sumOf(await gateway.metrics(), 'svodka_http_requests_total')
    return [
      { name: 'requests', value: seen.sent },
      figureOf('without a response', seen.silent),
      figureOf('without a problem', seen.withoutProblem),
      { name: 'counted', value: counted, exactly: seen.sent },
      ...heap,
      {
        name: 'longest hold',
        detail: seen.held.what,
        value: seen.held.ms,
        unit: 'ms',
        atMost: HELD_AT_MOST_MS,
      },
      ...rest,
    ]
  },
}

function figureOf(name: string, found: ReadonlySet<string>): Figure {
  return { name, value: found.size, exactly: 0, detail: [...found].slice(0, 5).join('; ') }
}

export const targets: readonly Scenario[] = [targetsOfAnyForm]
