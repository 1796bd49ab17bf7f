// The client of a scenario: asks as a holder of keys, looks at every answer whole, and records each.
import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { Agent, request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { faultOfBody, shownIn } from './whole-body.ts'
import type { Shown } from './whole-body.ts'

const OF_ENTRIES = new Set(['entries', 'current'])

export interface Asked {
  /** A report's code; `ping` asks who the key's organization is. */
  readonly report: string
  /** 1 unless said. */
  readonly organization?: number
  /** Another number, another period: what nobody has asked for yet. */
  readonly cold?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Leaves when it is aborted. */
  readonly signal?: AbortSignal
}

export interface Recorded {
  readonly report: string
  readonly organization: number
  /** 0 where there was no answer. */
  readonly status: number
  /** Of a problem. */
  readonly code: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly bodyHash: string
  readonly byteCount: number
  readonly startedAt: number
  readonly ms: number
  /** The connection ended before the answer did, and why. */
  readonly torn: string | undefined
  /** By the client's own will. */
  readonly left: boolean
  /** What is wrong with the body of a 200: another organization's, or not all of it. */
  readonly wrong: string | undefined
  /** What a body shows that was made of entries. */
  readonly entries: Shown | undefined
}

export interface Recorder {
  ask(asked: Asked): Promise<Recorded>
  readonly records: readonly Recorded[]
  close(): void
}

export function createRecorder(url: string): Recorder {
  const agent = new Agent({ keepAlive: true, maxSockets: 1200 })
  const records: Recorded[] = []

  function ask(asked: Asked): Promise<Recorded> {
    const { report, organization = 1, signal } = asked
    // why: all requests of a scenario may leave by one signal
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
          byteCount: body.length,
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
      const sent = request(
        `${url}/api/public/v1${pathOf(asked)}`,
        {
          agent,
          headers: { 'X-Api-Key': `key of organization ${organization}`, ...asked.headers },
          ...(signal && { signal }),
        },
        response => {
          status = response.statusCode ?? 0
          headers = response.headers
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.once('error', error => end(String(error)))
          response.once('close', () => end('closed'))
          response.once('end', () => end(response.complete ? undefined : 'incomplete'))
        },
      )
      sent.once('error', error => end(String(error)))
      sent.end()
    })
  }

  return { ask, records, close: () => agent.destroy() }
}

function pathOf({ report, cold }: Asked): string {
  if (report === 'ping') return '/ping'
  if (cold === undefined) return `/reports/${report}`
  const day = new Date(Date.UTC(1950, 0, 1 + cold)).toISOString().slice(0, 10)
  return `/reports/${report}?from=${day}&to=${day}`
}

function codeOf(body: Buffer): string {
  return (JSON.parse(body.toString()) as { code: string }).code
}
