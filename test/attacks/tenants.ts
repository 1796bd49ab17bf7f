// Two organizations at once, each with a mark in all of its rows: none ever sees the other's.
import { Agent, request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sumOf } from '../harness/exposition.ts'
import type { Gateway } from '../harness/gateway.ts'
import { cold } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import { ask10 } from '../support/http-1.0.ts'
import { marksIn } from './marks.ts'
import { atRest } from './rest.ts'

/** One is a prefix of the other, in its id and in its key. */
const ORGANIZATIONS = [1, 11] as const
const CLIENTS = 24
const ENDED_WITHIN_MS = 30_000

interface Question {
  readonly kind: string
  readonly path: string
  readonly format?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly abortAfterMs?: number
  /** HTTP/1.0, as nginx sends it: a spill file holds the whole body first. */
  readonly isOld?: true
}

const NO_CACHE = { 'Cache-Control': 'no-cache' }
const FORMATS = ['json', 'ndjson', 'csv', 'xlsx', 'parquet']

function period(number: number): string {
  const day = new Date(Date.UTC(1950, 0, 1 + number)).toISOString().slice(0, 10)
  return `from=${day}&to=${day}`
}

/** In turn, and both organizations ask each: what is asked for the first time is asked by several at once. */
function questionAt(at: number): Question {
  const group = Math.floor(at / 8)
  const kinds: Question[] = [
    { kind: 'hit', path: 'ledger' },
    { kind: 'miss', path: `others?${period(cold())}` },
    { kind: 'forced miss', path: 'ledger', headers: NO_CACHE },
    // why: eight requests in a row, of both organizations, ask for the same period
    { kind: 'collapsed', path: `nap?${period(group)}` },
    ...FORMATS.map(format => ({ kind: `derived ${format}`, path: `ledger.${format}`, format })),
    { kind: 'gzip', path: 'ledger.csv', headers: { 'Accept-Encoding': 'gzip' } },
    { kind: 'br', path: 'ledger', headers: { 'Accept-Encoding': 'br' } },
    { kind: 'range', path: 'ledger.csv', headers: { Range: `bytes=${at % 100}-900` } },
    { kind: 'stream', path: 'medium' },
    { kind: 'stream of csv', path: 'medium.csv', headers: { 'Accept-Encoding': 'gzip' } },
    { kind: 'spill', path: 'medium', isOld: true },
    { kind: 'abort', path: 'medium', abortAfterMs: at % 20 },
    { kind: 'aborted wait', path: `nap?${period(group)}`, abortAfterMs: 5 },
  ]
  return kinds[group % kinds.length] as Question
}

interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

const interleaved: Scenario = {
  fault: 'A51',
  name: 'interleaved-organizations',
  hypothesis:
    '10,000 interleaved requests of two organizations, over hits, misses, stale, collapsed, derived, ranges, streams, spill files and aborts: none shows a row of the other',
  quick: true,
  longestMs: 300_000,
  async run(world) {
    world.hasOtherClients = true
    const proxy = await world.proxy(world.servers.one)
    const gateway = await world.gateway({
      replicas: [proxy.port],
      probes: [world.servers.one.port],
      settings: { CACHE_MAX_ENTRY_BYTES: '64KiB', QUEUE_TIMEOUT: '20s' },
    })
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
    world.atEnd(() => agent.destroy())
    const total = world.isQuick ? 800 : 10_000
    const counts = new Map<string, number>()
    const crossings: string[] = []
    const refusals = new Map<string, number>()
    const add = (to: Map<string, number>, what: string): void => {
      to.set(what, (to.get(what) ?? 0) + 1)
    }

    async function check(
      question: Question,
      organization: number,
      received: Received,
    ): Promise<void> {
      const { status, headers, bytes } = received
      if (question.abortAfterMs !== undefined && status === 0) return add(counts, question.kind)
      if (status !== 200 && status !== 206) return add(refusals, `${status} of ${question.kind}`)
      const marks = await marksIn(bytes, question.format ?? 'json', headers['content-encoding'])
      const cache = String(headers['cache-status'] ?? '')
      if (cache.includes('stale')) add(counts, 'stale')
      if (cache.includes('collapsed')) add(counts, 'collapsed in fact')
      if (marks.some(mark => mark !== organization)) crossings.push(question.kind)
      else if (marks.length === 0) add(refusals, `no mark in ${question.kind}`)
      else add(counts, question.kind)
    }

    const progress = { next: 0 }
    const client = async (): Promise<void> => {
      for (let at = progress.next++; at < total; at = progress.next++) {
        const question = questionAt(at)
        const organization = ORGANIZATIONS[at % 2] ?? 1
        await check(question, organization, await send(gateway, agent, question, organization))
      }
    }
    const until = async (at: number): Promise<void> => {
      while (progress.next < at) await sleep(20)
    }
    const clients = Promise.all(Array.from({ length: CLIENTS }, client))
    const cutting = (async () => {
      await until(total * 0.7)
      await proxy.cut()
      await until(Math.min(total, progress.next + total * 0.1))
      await proxy.mend()
    })()
    await Promise.all([clients, cutting])
    const runs = sumOf(await gateway.metrics(), 'svodka_runs_total')
    const shown = [...counts].map(([kind, count]) => `${kind} ${count}`).join(', ')
    const refused = [...refusals].map(([what, count]) => `${what}: ${count}`).join(', ')
    const odd = [...refusals].filter(([what]) => !/^(?:0|429|503) /.test(what))
    return [
      { name: 'requests', value: progress.next - CLIENTS, detail: shown },
      { name: 'crossings', value: crossings.length, exactly: 0, detail: crossings[0] },
      {
        name: 'kinds of refusals',
        value: refusals.size,
        detail: refused,
      },
      { name: 'other than 429, 503', value: odd.length, exactly: 0, detail: odd[0]?.[0] },
      { name: 'stale responses', value: counts.get('stale') ?? 0, atLeast: 1 },
      { name: 'collapsed responses', value: counts.get('collapsed in fact') ?? 0, atLeast: 1 },
      { name: 'executions', value: runs },
      ...(await atRest(gateway)),
    ]
  },
}

async function send(
  gateway: Gateway,
  agent: Agent,
  { path, headers, abortAfterMs, isOld }: Question,
  organization: number,
): Promise<Received> {
  const url = `${gateway.url}/api/public/v1/reports/${path}`
  const own = { 'X-Api-Key': `key of organization ${organization}`, ...headers }
  if (isOld) {
    const { status, body } = await ask10(url, own)
    return { status, headers: {}, bytes: body }
  }
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    const end = (status: number, found: IncomingHttpHeaders = {}): void =>
      resolve({ status, headers: found, bytes: Buffer.concat(chunks) })
    const sent = request(url, { agent, headers: own }, response => {
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', () => end(0))
      response.once('close', () =>
        end(response.complete ? (response.statusCode ?? 0) : 0, response.headers),
      )
    })
    sent.once('error', () => end(0)).setTimeout(ENDED_WITHIN_MS, () => sent.destroy())
    sent.end()
    if (abortAfterMs !== undefined) setTimeout(() => sent.destroy(), abortAfterMs)
  })
}

export const tenants: readonly Scenario[] = [interleaved]
