// Two concurrent organizations and two keys that read less of the first, each with a mark in all of its rows: none ever
// gets rows of another.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { rawAsker, type RawAnswer } from '../harness/ask.ts'
import { periodOf } from '../harness/client.ts'
import { atLeast, exactly, said } from '../harness/figures.ts'
import { cold } from '../harness/load.ts'
import type { Scenario } from '../harness/scenario.ts'
import { ask10 } from '../harness/http-1.0.ts'
import { marksIn } from './marks.ts'
import { atRest } from './rest.ts'

interface Reader {
  readonly key: string
  readonly mark: number
  /** What the key may read; undefined for everything. */
  readonly allowed?: RegExp
}

const PARTS = { allowed: /^(?:ledger|medium)/ }
/** Id and key of one organization are prefixes of those of the other. */
const READERS: readonly Reader[] = [
  { key: 'key of organization 1', mark: 1 },
  { key: 'key of organization 11', mark: 11 },
  { key: 'key of part 7', mark: 107, ...PARTS },
  { key: 'key of part 8', mark: 108, ...PARTS },
]
const CLIENTS = 24
const ENDED_WITHIN_MS = 30_000

interface Question {
  readonly kind: string
  readonly path: string
  readonly format?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly abortAfterMs?: number
  /** HTTP/1.0, as nginx sends it. */
  readonly isOld?: true
}

const FORMATS = ['json', 'ndjson', 'csv', 'xlsx', 'parquet']

/** Eight consecutive requests, by all readers in turn, are of one kind and sent concurrently. */
function questionAt(at: number): Question {
  const group = Math.floor(at / 8)
  // why: eight requests in a row, of all readers, ask for the same period
  const together = `nap?${periodOf(group)}`
  const kinds: Question[] = [
    { kind: 'hit', path: 'ledger' },
    { kind: 'miss', path: `others?${periodOf(cold())}` },
    { kind: 'forced miss', path: 'ledger', headers: { 'Cache-Control': 'no-cache' } },
    { kind: 'collapsed', path: together },
    ...FORMATS.map(format => ({ kind: `hit in ${format}`, path: `ledger.${format}`, format })),
    { kind: 'gzip', path: 'ledger.csv', headers: { 'Accept-Encoding': 'gzip' } },
    { kind: 'range', path: 'ledger.csv', headers: { Range: `bytes=${at % 100}-900` } },
    { kind: 'file', path: 'medium' },
    { kind: 'file with gzip', path: 'medium.csv', headers: { 'Accept-Encoding': 'gzip' } },
    { kind: 'range of a file', path: 'medium.csv', headers: { Range: `bytes=${at % 100}-90000` } },
    { kind: 'HTTP/1.0', path: 'medium', isOld: true },
    { kind: 'abort', path: 'medium', abortAfterMs: at % 20 },
    { kind: 'aborted wait', path: together, abortAfterMs: 5 },
  ]
  return kinds[group % kinds.length] as Question
}

/** @returns the status 0 if the response is incomplete */
async function send(
  url: string,
  agent: Agent,
  { path, headers, abortAfterMs, isOld }: Question,
  key: string,
): Promise<RawAnswer> {
  const target = `/api/public/v1/reports/${path}`
  const own = { 'X-Api-Key': key, ...headers }
  if (isOld) {
    const { status, body } = await ask10(url + target, own)
    return { status, headers: {}, bytes: body }
  }
  const signal = AbortSignal.timeout(abortAfterMs ?? ENDED_WITHIN_MS)
  const none = { status: 0, headers: {}, bytes: Buffer.of() }
  return rawAsker(url, { agent, signal })(target, own).catch(() => none)
}

export const tenants: readonly Scenario[] = [
  {
    name: 'A51 interleaved-organizations',
    hypothesis:
      '10,000 interleaved requests of two organizations and of two keys with scopes, over hits, misses, stale, collapsed, formats, ranges, files, HTTP/1.0 and aborts: none has a row of another',
    quick: true,
    longestMs: 300_000,
    async run(stage) {
      stage.hasOtherClients = true
      const { gateway, proxy } = await stage.behindProxy(
        { QUEUE_TIMEOUT: '20s' },
        { limits: { maxCachedBytes: 65_536 } },
      )
      const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
      stage.atEnd(() => agent.destroy())
      const total = stage.isQuick ? 400 : 10_000
      /** Numbers of correct responses and of refusals, by kind. */
      const counts = new Map<string, number>()
      const refusals = new Map<string, number>()
      const crossings: string[] = []
      const add = (to: Map<string, number>, what: string): void =>
        void to.set(what, (to.get(what) ?? 0) + 1)
      const check = async (
        question: Question,
        { key, mark: own, allowed }: Reader,
      ): Promise<void> => {
        const { path, kind, format = 'json', abortAfterMs } = question
        const received = await send(gateway.url, agent, question, key)
        const { status, headers, bytes } = received
        if (abortAfterMs !== undefined && status === 0) return add(counts, kind)
        const isHidden = allowed?.test(path) === false
        if (isHidden && status < 400) crossings.push(`${status} of ${kind}`)
        if (isHidden && status === 403) return add(counts, 'not allowed')
        if (status !== 200 && status !== 206) return add(refusals, `${status} of ${kind}`)
        const marks = await marksIn(bytes, format, headers['content-encoding'])
        // why: the end of a range may cut the last one
        if (status === 206) marks.pop()
        for (const word of ['stale', 'collapsed']) {
          if (String(headers['cache-status']).includes(word)) add(counts, `${word} in fact`)
        }
        if (marks.some(mark => mark !== own)) crossings.push(kind)
        else if (marks.length === 0) add(refusals, `no mark in ${kind}`)
        else add(counts, kind)
      }
      const sent = { next: 0 }
      const client = async (): Promise<void> => {
        for (let at = sent.next++; at < total; at = sent.next++) {
          await check(questionAt(at), READERS[at % READERS.length]!)
        }
      }
      const until = async (at: number): Promise<void> => {
        while (sent.next < at) await sleep(20)
      }
      const cutting = async (): Promise<void> => {
        await until(total * 0.7)
        await proxy.cut()
        await until(Math.min(total, sent.next + total * 0.1))
        await proxy.mend()
      }
      await Promise.all([cutting(), ...Array.from({ length: CLIENTS }, client)])
      const listed = (of: ReadonlyMap<string, number>): string =>
        [...of].map(([what, count]) => `${what}: ${count}`).join(', ')
      const odd = [...refusals.keys()].filter(what => !/^(?:0|429|503) /.test(what))
      return [
        said('requests', total, undefined, listed(counts)),
        exactly('rows of another', crossings.length, 0, crossings[0]),
        said('kinds of refusals', refusals.size, undefined, listed(refusals)),
        exactly('other than 429, 503', odd.length, 0, odd[0]),
        atLeast('stale responses', counts.get('stale in fact') ?? 0, 1),
        atLeast('collapsed responses', counts.get('collapsed in fact') ?? 0, 1),
        said('executions', await gateway.total('svodka_runs_total')),
        ...(await atRest(gateway)),
      ]
    },
  },
]
