// The client of a scenario: sends requests with keys, checks every response completely, and records it.
import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../src/demo/processes.ts'
import { fresh, isOk, ofEach } from './load.ts'
import { faultOfBody, shownIn, type Shown } from './whole-body.ts'

const OF_ENTRIES = new Set(['entries', 'current'])

export interface Asked {
  /** Code of a report, or `ping`, which returns the key's organization. */
  readonly report: string
  /** Default 1. */
  readonly organization?: number
  /** Another number is another period, which is not cached. */
  readonly cold?: number
  readonly headers?: Readonly<Record<string, string>>
  /** If aborted, the client disconnects. */
  readonly signal?: AbortSignal
}

/** The request with that number. */
export type Make = (at: number) => Asked

export interface Recorded {
  readonly report: string
  readonly organization: number
  /** 0 without a response. */
  readonly status: number
  /** Code of a problem. */
  readonly code: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly bodyHash: string
  readonly startedAt: number
  readonly ms: number
  /** Why the connection ended before the end of the response. */
  readonly torn: string | undefined
  /** Aborted by the client. */
  readonly left: boolean
  /** What is wrong with the body of a 200: another organization's, or incomplete. */
  readonly wrong: string | undefined
  /** Content of a body with entries. */
  readonly entries: Shown | undefined
}

export interface Load {
  /** Ends it. @returns all responses, once they are in. */
  stop(): Promise<Recorded[]>
}

export interface Client {
  ask(asked: Asked): Promise<Recorded>
  /** Sends `count` requests with limited concurrency. */
  askMany(count: number, atOnce: number, make: Make): Promise<Recorded[]>
  /** Sends requests at a steady rate, however long responses take. */
  startLoad(perSecond: number, make: Make): Load
  loadFor(seconds: number, perSecond: number, make: Make): Promise<Recorded[]>
  /** Makes a stale cached response of the report for every organization. */
  warm(report: string): Promise<void>
  /** Repeats a request until the response is 200. @returns ms since `since`; Infinity after 10 s. */
  firstFresh(since: number): Promise<number>
  readonly records: readonly Recorded[]
  close(): void
}

export function createClient(url: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1200 })
  const records: Recorded[] = []

  function ask(asked: Asked): Promise<Recorded> {
    const { report, organization = 1, signal } = asked
    // why: one signal may abort all requests of a scenario
    if (signal) setMaxListeners(0, signal)
    const startedAt = performance.now()
    return new Promise(resolve => {
      let status = 0
      let headers: IncomingHttpHeaders = {}
      const chunks: Buffer[] = []
      let ended = false
      const end = (torn: string | undefined): void => {
        if (ended) return
        ended = true
        const body = Buffer.concat(chunks)
        const ms = performance.now() - startedAt
        const isProblem = `${headers['content-type']}`.includes('problem+json')
        const whole = torn === undefined
        const isBody = status === 200 && whole && report !== 'ping' && body.length > 0
        const record: Recorded = {
          report,
          organization,
          status,
          code: isProblem && whole ? codeOf(body) : undefined,
          headers,
          bodyHash: createHash('sha256').update(body).digest('hex'),
          startedAt,
          ms,
          torn,
          left: signal?.aborted === true && torn !== undefined,
          wrong: isBody ? faultOfBody(body, organization) : undefined,
          entries: isBody && OF_ENTRIES.has(report) ? shownIn(body) : undefined,
        }
        records.push(record)
        resolve(record)
      }
      const options = {
        agent,
        headers: { 'X-Api-Key': `key of organization ${organization}`, ...asked.headers },
        ...(signal && { signal }),
      }
      request(`${url}/api/public/v1${pathOf(asked)}`, options, response => {
        status = response.statusCode ?? 0
        headers = response.headers
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', error => end(String(error)))
        response.once('close', () => end('closed'))
        response.once('end', () => end(response.complete ? undefined : 'incomplete'))
      })
        .once('error', error => end(String(error)))
        .end()
    })
  }

  async function askMany(count: number, atOnce: number, make: Make): Promise<Recorded[]> {
    const responses: Recorded[] = []
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < count) responses.push(await ask(make(next++)))
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    return responses
  }

  function startLoad(perSecond: number, make: Make): Load {
    const asked: Promise<Recorded>[] = []
    const startedAt = performance.now()
    const timer = setInterval(() => {
      const due = ((performance.now() - startedAt) / 1000) * perSecond
      while (asked.length < due) asked.push(ask(make(asked.length)))
    }, 5)
    return {
      stop() {
        clearInterval(timer)
        return Promise.all(asked)
      },
    }
  }

  return {
    ask,
    askMany,
    startLoad,
    async loadFor(seconds, perSecond, make) {
      const load = startLoad(perSecond, make)
      await sleep(seconds * 1000)
      return load.stop()
    },
    async warm(report) {
      await askMany(20, 8, ofEach(report))
      // why: until they are stale, these responses would be served in any case
      await sleep(350)
    },
    async firstFresh(since) {
      const isFresh = async (): Promise<boolean> => isOk(await ask(fresh('ledger')()))
      const happened = await eventually(isFresh, 10_000, 10)
      return happened ? performance.now() - since : Number.POSITIVE_INFINITY
    },
    records,
    close: () => agent.destroy(),
  }
}

function pathOf({ report, cold }: Asked): string {
  if (report === 'ping') return '/ping'
  return `/reports/${report}${cold === undefined ? '' : `?${periodOf(cold)}`}`
}

/** The period of one day, counted from 1950 on. */
export function periodOf(day: number): string {
  const date = new Date(Date.UTC(1950, 0, 1 + day)).toISOString().slice(0, 10)
  return `from=${date}&to=${date}`
}

function codeOf(body: Buffer): string {
  return (JSON.parse(body.toString()) as { code: string }).code
}
