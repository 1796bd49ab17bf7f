// The request of a valid key that costs most of the event loop: CPU time of the gateway's main thread.
import { readFileSync } from 'node:fs'
import type { Make } from '../harness/client.ts'
import { atMost, said } from '../harness/figures.ts'
import type { Gateway } from '../harness/gateway.ts'
import { sendRaw } from '../harness/raw-socket.ts'
import type { Scenario } from '../harness/scenario.ts'
import { BYSTANDER, besideAttack } from './bystander.ts'
import { startLoad } from './generate.ts'

interface Candidate {
  /** Below the prefix. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

const MAX_HELD_MS = 10
/** With the rest of the request below 16 KiB. */
const FILL_BYTES = 15_500
const TRIES = 3
/** Of the first round; the second one has all pairs of their paths and headers. */
const BEST = 8

const PATHS = `/ping /reports /openapi.json /metrics/schema /metrics /metrics?compare=year /nothing
  /reports/ledger/schema /reports/ledger.ndjson /reports/ledger.csv?preset=excel /reports/ledger.xlsx
  /reports/ledger.parquet /reports/entries /reports/ledger?from=2025-01-01&to=2025-12-31`
const PLACES = `/reports/ /reports/ledger. /reports/ledger? /reports/ledger?from= /reports/ledger?format=
  /reports/ledger?utm_ /metrics? /metrics?codes= /ping?`
const FILLS = 'a & a& a=1& _=1& from=& %41 %25 %E2%98 %zz + a, , ../ 1T1 %F0%9F%98%80'
const HEADERS = `Accept Accept-Encoding Accept-Language Authorization Cache-Control Cookie Expect If-None-Match
  If-Range Origin Range Traceparent X-Forwarded-For X-Request-Id`
const VALUES = 'a a, , a;q=0.1, ;q= a/b;c="d", text/csv, ru;q=0.1, gzip, "" "a", W/" no-cache, 0-0,'

const wordsOf = (text: string): string[] => text.split(/\s+/)
const filled = (text: string): string => text.repeat(Math.floor(FILL_BYTES / text.length))
/** 760 names of 19 letters. */
const NAMES = Array.from({ length: 760 }, (_, at) => (at * 7919).toString(36).padStart(19, 'fromt'))

const OF_PATHS: readonly Candidate[] = [
  ...wordsOf(PATHS),
  ...wordsOf(PLACES).flatMap(place => [
    ...wordsOf(FILLS).map(fill => place + filled(fill)),
    `${place}${NAMES.join('=&').slice(0, FILL_BYTES)}`,
    // why: no more are parsed
    place + '_=%F0%9F%98%80%41&'.repeat(50),
  ]),
].map(path => ({ path, headers: {} }))

const OF_HEADERS: readonly Candidate[] = [
  ...wordsOf(HEADERS).flatMap(name => VALUES.split(' ').map(value => ({ [name]: filled(value) }))),
  Object.fromEntries(NAMES.slice(0, 600).map(name => [name, ''])),
  { 'Cache-Control': 'no-cache' },
  { 'Accept-Encoding': 'gzip' },
  { Range: 'bytes=0-9' },
].map(headers => ({ path: '/reports/ledger', headers }))

function textOf({ path, headers }: Candidate): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const key = 'X-Api-Key: key of organization 1\r\nConnection: close\r\n'
  return `GET /api/public/v1${path} HTTP/1.1\r\nHost: a\r\n${key}${lines.join('')}\r\n`
}

/** On-CPU time of the main thread. @see proc(5), schedstat */
function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

/** The dearest first. Of several tries the least counts, since the gateway also works by itself. */
async function ranked({ url, pid }: Gateway, candidates: readonly Candidate[]) {
  const costs: Array<Candidate & { readonly ms: number }> = []
  for (const candidate of candidates) {
    let ms = Infinity
    for (let n = 0; n < TRIES; n += 1) {
      const before = mainThreadMs(pid)
      await sendRaw(url, textOf(candidate))
      ms = Math.min(ms, mainThreadMs(pid) - before)
    }
    costs.push({ ...candidate, ms })
  }
  return costs.toSorted((a, b) => b.ms - a.ms)
}

const ping: Make = () => ({ report: 'ping', organization: BYSTANDER })

export const dearest: readonly Scenario[] = [
  {
    name: 'A53 dearest-request',
    hypothesis:
      'No request of a valid key holds the event loop for 10 ms; the dearest one, repeated on 40 connections, raises the median of another /ping at most threefold against ordinary ones',
    longestMs: 600_000,
    async run(stage) {
      const gateway = await stage.gateway()
      // why: code that is not yet compiled would cost more than any request
      for (let n = 0; n < 100; n += 1) await ranked(gateway, OF_PATHS.slice(0, 8))
      const paths = await ranked(gateway, OF_PATHS)
      const headers = (await ranked(gateway, OF_HEADERS)).slice(0, BEST)
      // why: both together must be below 16 KiB
      const short = paths.filter(({ path }) => path.length < 500).slice(0, BEST)
      const pairs = short.flatMap(({ path }) => headers.map(one => ({ ...one, path })))
      const [first] = await ranked(gateway, [...pairs, ...paths.slice(0, BEST)])
      if (first === undefined) throw new Error('no candidates')
      const load = (candidate: Candidate) => () =>
        startLoad(stage, {
          url: gateway.url,
          organization: 1,
          clients: 40,
          backOffMs: 0,
          ...candidate,
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
      const shown = `${first.path.slice(0, 60)} ${JSON.stringify(first.headers).slice(0, 60)}`
      return [
        said('candidates', OF_PATHS.length + OF_HEADERS.length + pairs.length),
        atMost('main thread for the dearest request', first.ms, MAX_HELD_MS, 'ms', shown),
        ...figures,
      ]
    },
  },
]
