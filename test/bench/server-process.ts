// A server as a child process on a core of its own: started, waited for, watched, stopped.
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { CORES, need, pinned } from './commands.ts'
import { cpuMs, memoryBytes, peakMemoryBytes } from './process-figures.ts'

export interface ServerOptions {
  /** Names its log. */
  readonly name: string
  /** What node (or another program) is started with: `[process.execPath, 'x.js']`. */
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** GET of it answers below 500 once the server takes requests. */
  readonly readyUrl: string
  /** 0 unless said. */
  readonly core?: number
  readonly readyWithinMs?: number
}

export interface ServerProcess {
  readonly pid: number
  /** From spawn to the first answer that says ready. */
  readonly readyAfterMs: number
  cpuMs(): number
  memoryBytes(): number
  peakMemoryBytes(): number
  /** Resolves when it is gone. May be called again. */
  stop(): Promise<void>
}

const STOP_WITHIN_MS = 8_000
let started = 0

/** Is stopped at the bench's end at the latest. @throws Error with the end of its log if it does not get ready. */
export async function startServer(bench: Bench, options: ServerOptions): Promise<ServerProcess> {
  need('taskset')
  const { name, command, env = {}, readyUrl, core = CORES.server, readyWithinMs = 60_000 } = options
  started += 1
  const logFile = join(bench.folder, `${name.replaceAll(/\W+/g, '-')}-${started}.log`)
  const log = openSync(logFile, 'a')
  const [program = '', ...args] = pinned(core, command)
  const { PATH = '', HOME = '' } = process.env
  const startedAt = performance.now()
  const child = bench.watchdog.spawn(program, args, {
    signal: 'KILL',
    env: { PATH, HOME, ...env },
    cwd: bench.folder,
    stdout: log,
    stderr: log,
  })
  closeSync(log)
  let gone = false
  const end = new Promise<void>(resolve => {
    const ended = () => {
      gone = true
      resolve()
    }
    child.once('exit', ended).once('error', ended)
  })
  const stop = async () => {
    if (gone) return
    // SIGINT: a gateway that gets SIGTERM takes requests for a while yet.
    child.kill('SIGINT')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
    await end
    clearTimeout(timer)
  }
  bench.onEnd(stop)
  const said = () => `The end of its log:\n${readFileSync(logFile, 'utf8').slice(-2000)}`
  while (!(await answers(readyUrl))) {
    bench.signal.throwIfAborted()
    if (gone) throw new Error(`${name} ended at its start. ${said()}`)
    if (performance.now() - startedAt > readyWithinMs) {
      await stop()
      throw new Error(`${name} is not ready after ${readyWithinMs / 1000} s. ${said()}`)
    }
    await sleep(5)
  }
  const readyAfterMs = performance.now() - startedAt
  const pid = child.pid ?? Number.NaN
  return {
    pid,
    readyAfterMs,
    cpuMs: () => cpuMs(pid),
    memoryBytes: () => memoryBytes(pid),
    peakMemoryBytes: () => peakMemoryBytes(pid),
    stop,
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await answer.arrayBuffer()
    return answer.status < 500
  } catch {
    return false
  }
}
