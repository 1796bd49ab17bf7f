// Common part of all generators: read the job, count, stop on request, and report at the end.
import { connect } from 'node:net'
import type { Report } from './job.ts'

type Counted = { -readonly [Field in keyof Report]: Report[Field] } & {
  readonly outcomes: Record<string, number>
}

export interface Generating<Job> {
  readonly job: Job
  readonly report: Counted
  readonly stop: AbortSignal
  readonly count: (outcome: string) => void
  /** Sends the report, and ends the process. */
  readonly end: () => void
}

/** Call it once. The process ends with its parent. */
export function startGenerating<Job>(): Generating<Job> {
  const stop = new AbortController()
  process.once('message', () => stop.abort())
  process.once('disconnect', () => process.exit(1))
  const outcomes: Record<string, number> = {}
  const report = { sent: 0, outcomes, wrong: undefined, wrongCount: 0, withoutRetryAfter: 0 }
  return {
    job: JSON.parse(process.argv[2] ?? '') as Job,
    report,
    stop: stop.signal,
    count: outcome => void (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1),
    end: () => void process.send?.(report satisfies Report, () => process.exit()),
  }
}

/** The twentieth 401 in a row may close the connection; later requests on it would be lost. */
export const PIPELINED = 20

/**
 * Clients that pipeline a batch of requests over a connection, then the next batch over another, until none is left.
 * @param count called with the status of each request, or `closed`
 */
export async function pipeline(
  url: string,
  clients: number,
  take: () => Promise<readonly Buffer[]> | readonly Buffer[],
  count: (outcome: string, request: Buffer) => void,
): Promise<void> {
  const client = async (): Promise<void> => {
    for (let some = await take(); some.length > 0; some = await take()) {
      await send(url, some, count)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
}

function send(
  url: string,
  requests: readonly Buffer[],
  count: (outcome: string, request: Buffer) => void,
): Promise<void> {
  const { hostname, port } = new URL(url)
  const waiting = [...requests]
  let rest = ''
  return new Promise(resolve => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    socket.on('error', () => undefined)
    socket.setTimeout(60_000, () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      // why: a status line may be split
      const text = rest + chunk.toString('latin1')
      const found = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
      rest = text.slice(Math.max((found.at(-1)?.index ?? -13) + 13, text.length - 12))
      for (const [, status = ''] of found) {
        // why: 100 Continue comes before the response
        const request = status === '100' ? undefined : waiting.shift()
        if (request) count(status, request)
      }
      if (waiting.length === 0) socket.end()
    })
    socket.on('close', () => {
      for (const request of waiting) count('closed', request)
      resolve()
    })
    socket.write(Buffer.concat(requests))
  })
}
