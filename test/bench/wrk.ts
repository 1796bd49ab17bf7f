// Generates load with wrk: one thread on the load's core, keep-alive connections, the requests of a list in turn.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench } from './bench.ts'
import { CORES, pinned, run } from './commands.ts'
import { FIRST_DAY, type LoadRequest } from './requests.ts'
import type { ServerProcess } from './server-process.ts'

const SCRIPT = fileURLToPath(new URL('../../../test/bench/wrk.lua', import.meta.url))

/** Of a load: those of the next are for other days. */
const MAX_REQUESTS = 50_000

export interface Load {
  readonly requestCount: number
  readonly requestsPerSecond: number
  readonly durationMs: number
  /** Includes response headers. */
  readonly bytesPerRequest: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface Round extends Load {
  /** CPU time of the server's threads divided by wall time. */
  readonly cpuShare: number
  readonly cpuUsPerRequest: number
  /** Of the server since its start. */
  readonly peakMiB: number
}

interface LoadOptions {
  /** Of a round; the bench's effort changes it. */
  readonly seconds: number
  readonly connections: number
  /** Requests before the first round, unless the bench's effort has fewer. */
  readonly warmUpCount?: number
  /** Headers in addition to those of the requests. */
  readonly headers?: LoadRequest['headers']
}

/** @returns a function that executes a round. It throws if any response is neither 2xx nor 3xx, or a socket fails. */
export async function loadOf(
  bench: Bench,
  server: ServerProcess,
  requests: readonly LoadRequest[],
  { seconds, connections, warmUpCount = 0, headers = {} }: LoadOptions,
): Promise<() => Promise<Round>> {
  const list = join(bench.folder, `requests-${randomUUID()}.tsv`)
  const lines = requests.map(request => {
    const all = Object.entries({ ...request.headers, ...headers })
    return [request.path, ...all.map(([name, value]) => `${name}: ${value}`)].join('\t')
  })
  writeFileSync(list, `${lines.join('\n')}\n`)
  const duration = Math.max(1, Math.round(seconds * bench.effort.pace))
  const wrk = ['wrk', '-t1', `-c${connections}`, `-d${duration}s`, '--timeout', '30s', '--latency']
  let sentCount = server.loadCount++ * MAX_REQUESTS
  const round = async (): Promise<Round> => {
    const place = [String(sentCount), String(Date.parse(FIRST_DAY) / 1000)]
    const command = [...wrk, '-s', SCRIPT, server.url, '--', list, ...place]
    const before = server.cpuMs()
    const load = readLoad(await run(pinned(CORES.load, command), { signal: bench.signal }))
    const cpuMs = server.cpuMs() - before
    sentCount += load.requestCount + connections
    // why: wrk does not count the requests in flight at its end, half of whose work is done on average
    const cpuUsPerRequest = (cpuMs * 1000) / (load.requestCount + connections / 2)
    return {
      ...load,
      cpuShare: cpuMs / load.durationMs,
      cpuUsPerRequest,
      peakMiB: server.peakMiB(),
    }
  }
  const enough = Math.min(warmUpCount, bench.effort.warmUpCount)
  for (let count = 0; count < enough;) count += (await round()).requestCount
  return round
}

/** Parses the JSON line at the end of wrk's output. */
export function readLoad(output: string): Load {
  const line = output.split('\n').findLast(text => text.startsWith('{'))
  if (line === undefined) throw new Error(`wrk printed no result:\n${output.slice(-1000)}`)
  const said = JSON.parse(line) as Readonly<Record<string, number>>
  const of = (name: string): number => said[name] ?? Number.NaN
  for (const kind of ['status', 'connect', 'read', 'write', 'timeout']) {
    if (of(kind) !== 0) throw new Error(`wrk met ${of(kind)} errors of kind ${kind}: ${line}`)
  }
  if (of('requests') === 0) throw new Error('wrk got no response at all')
  return {
    requestCount: of('requests'),
    requestsPerSecond: (of('requests') * 1e6) / of('durationUs'),
    durationMs: of('durationUs') / 1000,
    bytesPerRequest: of('bytes') / of('requests'),
    p50Ms: of('p50Us') / 1000,
    p99Ms: of('p99Us') / 1000,
  }
}
