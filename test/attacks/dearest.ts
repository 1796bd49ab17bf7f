// The request of a valid key that costs most of the event loop: CPU time of the gateway's main thread.
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { atMost, said } from '../harness/figures.ts'
import type { Make } from '../harness/client.ts'
import type { Gateway } from '../harness/gateway.ts'
import { sendRaw } from '../harness/raw-socket.ts'
import type { Scenario } from '../harness/scenario.ts'
import { BYSTANDER, besideAttack } from './bystander.ts'
import { wellFormedRequest } from './fuzz-requests.ts'
import { startLoad } from './generate.ts'

/** A target below the prefix, and headers. */
interface Candidate {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

const PREFIX = '/api/public/v1'
const KEY = 'key of organization 1'
const MAX_HELD_MS = 10
/** Together with the rest below 16 KiB. */
const FILL_BYTES = 15_500
const TRIES = 3
/** Of the first round, all pairs of which are the second one. */
const BEST = 8

const PATHS = `/ping /reports /openapi.json /metrics/schema /metrics /metrics?compare=year /nothing
  /reports/ledger /reports/ledger/schema /reports/ledger.json /reports/ledger.ndjson /reports/ledger.csv
  /reports/ledger.csv?preset=excel /reports/ledger.xlsx /reports/ledger.parquet /reports/entries
  /reports/ledger?from=2025-01-01&to=2025-12-31 /reports/ledger?compare=year`.split(/\s+/)
const PLACES =
  `/reports/ /reports/ledger. /reports/ledger? /reports/ledger?from= /reports/ledger?format=
  /reports/ledger?utm_ /metrics? /metrics?codes= /ping?`.split(/\s+/)
const FILLS = 'a & a& a=1& _=1& from=& codes=& %41 %25 %E2%98 %zz + a, , ../ 1T1 %F0%9F%98%80'
const HEADERS =
  `Accept Accept-Encoding Accept-Language Authorization Cache-Control Cookie Expect If-None-Match
  If-Range Origin Range Traceparent X-Forwarded-For X-Request-Id`.split(/\s+/)
const VALUES = 'a a, , a;q=0.1, ;q= a/b;c="d", text/csv, ru;q=0.1, gzip, "" "a", W/" no-cache, 0-0,'

/** Different ones of 19 letters. */
const names = (count: number): string =>
  Array.from({ length: count }, (_, at) => `${(at * 7919).toString(36).padStart(19, 'fromt')}=`)
    .join('&')
    .slice(0, FILL_BYTES)

const filled = (text: string, bytes = FILL_BYTES): string =>
  text.repeat(Math.floor(bytes / text.length))

function manyHeaders(lineOf: (at: number) => readonly [string, string]): Record<string, string> {
  return Object.fromEntries(Array.from({ length: 700 }, (_, at) => lineOf(at)))
}

const OF_PATHS: readonly Candidate[] = [
  ...PATHS,
  ...PLACES.flatMap(place => FILLS.split(' ').map(fill => place + filled(fill))),
  ...PLACES.map(place => place + names(760)),
  // why: at most 50 are parsed
  ...PLACES.map(place => place + filled('_=%F0%9F%98%80%41&', 900)),
].map(path => ({ path, headers: {} }))

const OF_HEADERS: readonly Candidate[] = [
  ...HEADERS.flatMap(name => VALUES.split(' ').map(value => ({ [name]: filled(value) }))),
  manyHeaders(at => [`a${at}`, 'b']),
  { 'Cache-Control': 'no-cache' },
  { 'Accept-Encoding': 'gzip' },
  { Range: 'bytes=0-9' },
  { 'If-None-Match': '"a"' },
].map(headers => ({ path: '/reports/ledger', headers }))

function textOf({ path, headers }: Candidate): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `GET ${PREFIX}${path} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${KEY}\r\n`
  return `${head}${lines.join('')}Connection: close\r\n\r\n`
}

/** On-CPU time of the main thread. @see proc(5), schedstat */
function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

/** The least of several tries, since the gateway also works by itself. */
async function costMs({ url, pid }: Gateway, text: string): Promise<number> {
  let least = Infinity
  for (let n = 0; n < TRIES; n += 1) {
    const before = mainThreadMs(pid)
    await sendRaw(url, text)
    least = Math.min(least, mainThreadMs(pid) - before)
  }
  return least
}

/** The dearest first. */
async function ranked(gateway: Gateway, candidates: readonly Candidate[]) {
  const costs: Array<Candidate & { readonly ms: number }> = []
  for (const one of candidates) costs.push({ ...one, ms: await costMs(gateway, textOf(one)) })
  return costs.toSorted((a, b) => b.ms - a.ms)
}

const shown = ({ path, headers }: Candidate): string =>
  `${path.slice(0, 60)} ${JSON.stringify(headers).slice(0, 60)}`

const ping: Make = () => ({ report: 'ping', organization: BYSTANDER })

export const dearest: readonly Scenario[] = [
  {
    name: 'A53 dearest-request',
    hypothesis:
      'No request of a valid key holds the event loop for 10 ms; the dearest one, repeated on 40 connections, raises the median of another /ping at most threefold against ordinary ones',
    longestMs: 600_000,
    async run(stage) {
      const gateway = await stage.gateway()
      const sampled = fc.sample(wellFormedRequest, { numRuns: 1000, seed: 1 })
      // why: code that is not yet compiled would cost more than any request
      for (let n = 0; n < 2000; n += 1) await sendRaw(gateway.url, textOf(OF_PATHS[n % 20]!))
      const paths = await ranked(gateway, OF_PATHS)
      const headers = await ranked(gateway, OF_HEADERS)
      // why: a target and headers together must be below 16 KiB
      const pairs = [...paths, ...headers]
        .filter(({ path }) => path.length < 500)
        .slice(0, BEST)
        .flatMap(({ path }) => headers.slice(0, BEST).map(one => ({ ...one, path })))
      const [first, second] = await ranked(gateway, [...pairs, ...paths.slice(0, BEST)])
      if (first === undefined || second === undefined) throw new Error('no candidates')
      let random = 0
      for (const bytes of sampled) {
        const text = bytes.toString('latin1').replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n')
        random = Math.max(random, await costMs(gateway, text))
      }
      const load = (candidate: Candidate) => () =>
        startLoad(stage, {
          url: gateway.url,
          organization: 1,
          ...candidate,
          clients: 40,
          backOffMs: 0,
        })
      const { figures } = await besideAttack(stage, gateway, load(first), {
        ask: ping,
        perSecond: 40,
        compared: {
          when: 'beside as many ordinary requests',
          begin: load({ path: '/reports/ledger', headers: {} }),
        },
        limits: { p50: 3 },
      })
      return [
        said('candidates', OF_PATHS.length + OF_HEADERS.length + pairs.length + sampled.length),
        atMost('main thread for the dearest request', first.ms, MAX_HELD_MS, 'ms', shown(first)),
        atMost('for the dearest random one', random, MAX_HELD_MS, 'ms'),
        said('for the second one', second.ms, 'ms', shown(second)),
        ...figures,
      ]
    },
  },
]
