// A server as a child process on a separate core: starts it, waits until it is ready, stops it.
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/demo/ports.ts'
import { peakMemoryBytes, threadsCpuMs } from '../harness/process-figures.ts'
import { hasEnded, startLogged } from '../harness/process.ts'
import type { Bench } from './bench.ts'
import { CORES, pinned } from './commands.ts'

export interface DatabaseOptions {
  /** Begins the name of its log file. */
  readonly name: string
  /** Reads its port from the environment variable PORT. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** URL, or path on its port, whose status is below 500 once the server accepts requests. Default: `/`. */
  readonly ready?: string
}

export interface ServerProcess {
  readonly pid: number
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** From spawn to the first response of `ready` below 500. */
  readonly readyAfterMs: number
  /** Of `loadOf`, so that each sends other requests. */
  loadCount: number
  /** Of all threads. */
  cpuMs(): number
  /** Peak resident memory since its start. */
  peakMiB(): number
  /** Resolves when the process has exited. May be called repeatedly. */
  stop(): Promise<void>
}

const READY_WITHIN_MS = 120_000
const STOP_WITHIN_MS = 8_000

/** The benchmark's end stops it at the latest. @throws Error with the end of its log if it does not become ready. */
export async function startServer(bench: Bench, options: DatabaseOptions): Promise<ServerProcess> {
  const { name, command, env, ready = '/' } = options
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { PATH = '', HOME = '' } = process.env
  const startedAt = performance.now()
  const variables = { PATH, HOME, NODE_ENV: 'production', PORT: String(port), ...env }
  const started = startLogged(name, pinned(CORES.server, command), variables, bench)
  const { child, exit } = started
  const isGone = (): boolean => hasEnded(started)
  const stop = async (): Promise<void> => {
    if (isGone()) return
    // SIGINT: after SIGTERM a gateway still accepts requests for a while.
    child.kill('SIGINT')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
    await exit
    clearTimeout(timer)
  }
  bench.onEnd(stop)
  while (!(await isAnswered(new URL(ready, url)))) {
    bench.signal.throwIfAborted()
    if (isGone() || performance.now() - startedAt > READY_WITHIN_MS) {
      const found = isGone() ? 'exited during startup' : 'did not become ready'
      await stop()
      throw new Error(`${name} ${found}. Its log: ${started.out.slice(-2000)}`)
    }
    await sleep(5)
  }
  const readyAfterMs = performance.now() - startedAt
  const pid = child.pid ?? Number.NaN
  return {
    pid,
    url,
    readyAfterMs,
    loadCount: 0,
    cpuMs: () => threadsCpuMs(pid),
    peakMiB: () => peakMemoryBytes(pid) / 2 ** 20,
    stop,
  }
}

function isAnswered(url: URL): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status < 500,
    () => false,
  )
}
