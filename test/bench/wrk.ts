// Load by wrk: one thread on the load's core, keep-alive connections, the requests of a list in turn.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench } from './bench.ts'
import { CORES, need, pinned, run } from './commands.ts'

const SCRIPT = fileURLToPath(new URL('../../../test/bench/wrk.lua', import.meta.url))

export interface LoadRequest {
  /** With its query string. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** A JSON object: the request is a POST. */
  readonly body?: string
}

/** What clients send beside what they want. */
export const CLIENT_HEADERS = {
  Accept: '*/*',
  'Accept-Encoding': 'gzip',
  'User-Agent': 'node',
} as const

export interface Load {
  readonly requestCount: number
  readonly requestsPerSecond: number
  readonly durationMs: number
  /** Heads included. */
  readonly bytesPerRequest: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

export interface LoadOptions {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** Of `requestsFile`. */
  readonly requests: string
  readonly seconds: number
  /** 64 unless said. */
  readonly connections?: number
  /** The load's, unless said; undefined pins nothing. */
  readonly core?: number | undefined
}

/** Leaves a list of requests for `load`. @returns its path. */
export function requestsFile(bench: Bench, requests: readonly LoadRequest[]): string {
  const path = join(bench.folder, `requests-${randomUUID()}.tsv`)
  const lines = requests.map(({ path, headers, body }) => {
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return [path, ...fields, ...(body === undefined ? [] : [body])].join('\t')
  })
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

/** @throws Error if any answer is neither 2xx nor 3xx, or a socket fails. */
export async function load(bench: Bench, options: LoadOptions): Promise<Load> {
  need('wrk', 'taskset')
  const { url, requests, seconds, connections = 64 } = options
  const core = 'core' in options ? options.core : CORES.load
  const wrk = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s']
  const command = [...wrk, '--latency', '-s', SCRIPT, url, '--', requests]
  const { signal } = bench
  return readLoad(await run(core === undefined ? command : pinned(core, command), { signal }))
}

/** wrk's output, with the line of JSON that the script ends it with. */
export function readLoad(output: string): Load {
  const line = output.split('\n').findLast(text => text.startsWith('{'))
  if (line === undefined) throw new Error(`wrk does not say what it did:\n${output.slice(-1000)}`)
  const said = JSON.parse(line) as Readonly<Record<string, number>>
  const of = (name: string) => {
    const value = said[name]
    if (value === undefined) throw new Error(`wrk does not say ${name}: ${line}`)
    return value
  }
  for (const kind of ['status', 'connect', 'read', 'write', 'timeout']) {
    if (of(kind) > 0) throw new Error(`wrk met ${of(kind)} errors of kind ${kind}: ${line}`)
  }
  if (of('requests') === 0) throw new Error('wrk got no answer at all')
  return {
    requestCount: of('requests'),
    requestsPerSecond: (of('requests') * 1e6) / of('durationUs'),
    durationMs: of('durationUs') / 1000,
    bytesPerRequest: of('bytes') / of('requests'),
    p50Ms: of('p50Us') / 1000,
    p99Ms: of('p99Us') / 1000,
    maxMs: of('maxUs') / 1000,
  }
}
