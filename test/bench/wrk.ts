// Generates load with wrk: one thread on the load's core, keep-alive connections, the requests of a list in turn.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadRequest } from './ask.ts'
import type { Bench } from './bench.ts'
import { CORES, pinned, run } from './commands.ts'
import type { ServerProcess } from './server-process.ts'

const SCRIPT = fileURLToPath(new URL('../../../test/bench/wrk.lua', import.meta.url))

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
  /** CPU time of the server process divided by wall time. */
  readonly cpuShare: number
  readonly cpuUsPerRequest: number
}

/** @returns a function that executes a round. It throws if any response is neither 2xx nor 3xx, or a socket fails. */
export function loadOf(
  bench: Bench,
  server: Pick<ServerProcess, 'url' | 'cpuMs'>,
  requests: readonly LoadRequest[],
  { seconds, connections = 64 }: { readonly seconds: number; readonly connections?: number },
): () => Promise<Round> {
  const list = join(bench.folder, `requests-${randomUUID()}.tsv`)
  const lines = requests.map(({ path, headers }) => {
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return [path, ...fields].join('\t')
  })
  writeFileSync(list, `${lines.join('\n')}\n`)
  const wrk = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s']
  const command = pinned(CORES.load, [...wrk, '--latency', '-s', SCRIPT, server.url, '--', list])
  return async () => {
    const before = server.cpuMs()
    const load = readLoad(await run(command, { signal: bench.signal }))
    const cpuMs = server.cpuMs() - before
    const cpuUsPerRequest = (cpuMs * 1000) / load.requestCount
    return { ...load, cpuShare: cpuMs / load.durationMs, cpuUsPerRequest }
  }
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
