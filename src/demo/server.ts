// One PostgreSQL server: its process, its log, and whether it responds. Does not know the other server.
import type { ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeFor, type Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { withClient } from './connection.ts'
import { childrenOf, commandLine, eventually, isAlive, signalTo } from './processes.ts'
import { configurationFile, type PostgresSettings } from './settings.ts'
import type { Watchdog } from './watchdog.ts'

/** fast: ends sessions and writes everything; immediate: as in a crash. */
export type StopMode = 'fast' | 'immediate'

export interface PostgresServer {
  name: 'primary' | 'standby'
  port: number
  /** Of the running postmaster; undefined while the server is stopped. */
  readonly pid: number | undefined
  /** Path of its log; the log of the previous start has the suffix .1. */
  logFile: string
  /** Resolves when the server executes queries; each start uses the same port. */
  start: () => Promise<void>
  /** Resolves when no process of the server is left. */
  stop: (mode?: StopMode) => Promise<void>
  /** Freezes all its processes: connections stay open, and no response is sent. */
  pause: () => void
  resume: () => void
}

export interface PostgresServerOptions {
  name: 'primary' | 'standby'
  /** Owned by the current user; the data directory in it belongs to the account. */
  folder: string
  port: number
  /** URL to check that it responds: as superuser, database postgres. */
  url: string
  settings: PostgresSettings
  account: Account
  binaries: Binaries
  watchdog: Watchdog
  signal?: AbortSignal | undefined
}

const startDeadlineMs = 60_000
const stopSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const
const stopDeadlinesMs = { fast: 10_000, immediate: 5_000 } as const

export function createPostgresServer(options: PostgresServerOptions): PostgresServer {
  const { name, folder, port, url, settings, account, binaries, watchdog, signal } = options
  const logFile = join(folder, `${name}.log`)
  const configuration = join(folder, `${name}.conf`)
  let child: ChildProcess | undefined
  let paused: number[] = []

  async function start(): Promise<void> {
    if (child) return
    writeFor(account, configuration, configurationFile({ ...settings, port: String(port) }))
    if (existsSync(logFile)) renameSync(logFile, `${logFile}.1`)
    const log = openSync(logFile, 'a', 0o600)
    const args = ['-D', join(folder, name), '-c', `config_file=${configuration}`]
    const started = watchdog.spawn(binaries.postgres, args, {
      signal: 'QUIT',
      ...serverProcess(account),
      stdout: log,
      stderr: log,
    })
    closeSync(log)
    child = started
    const onExit = () => {
      if (child === started) child = undefined
    }
    started.once('exit', onExit).once('error', onExit)

    const deadline = performance.now() + startDeadlineMs
    while (!(await responds(url))) {
      signal?.throwIfAborted()
      if (!child) throw new Error(`The ${name} ended at its start.\n${logTail(logFile)}`)
      if (performance.now() > deadline) {
        await stop('immediate')
        throw new Error(
          `The ${name} does not respond after ${startDeadlineMs / 1000} s.\n${logTail(logFile)}`,
        )
      }
      await sleep(20)
    }
  }

  async function stop(mode: StopMode = 'fast'): Promise<void> {
    resume()
    if (child?.pid !== undefined) await stopPostmaster(child.pid, mode)
    await eventually(() => !child, 1000, 5)
  }

  function pause(): void {
    if (child?.pid === undefined) return
    paused = [child.pid, ...childrenOf(child.pid)]
    for (const pid of paused) signalTo(pid, 'SIGSTOP')
  }

  function resume(): void {
    for (const pid of paused) signalTo(pid, 'SIGCONT')
    paused = []
  }

  return {
    name,
    port,
    logFile,
    start,
    stop,
    pause,
    resume,
    get pid() {
      return child?.pid
    },
  }
}

/** Options of spawn for PostgreSQL's programs: a folder that all users can enter, and no PG* variables. */
export function serverProcess({ ids, environment }: Account) {
  return { ...ids, cwd: '/', env: { LC_ALL: 'C', ...environment } }
}

/** Stops a postmaster in the given mode, then by stronger signals. */
export async function stopPostmaster(pid: number, mode: StopMode): Promise<void> {
  const modes: StopMode[] = mode === 'fast' ? ['fast', 'immediate'] : ['immediate']
  for (const mode of modes) {
    signalTo(pid, stopSignals[mode])
    signalTo(pid, 'SIGCONT')
    if (await eventually(() => !isAlive(pid), stopDeadlinesMs[mode])) return
  }
  for (const process of [pid, ...childrenOf(pid)]) signalTo(process, 'SIGKILL')
  await eventually(() => !isAlive(pid), 5_000)
}

/** Stops a server that a crash of the demo has left running on this data directory. */
export async function stopLeftover(dataDirectory: string): Promise<boolean> {
  const pidFile = join(dataDirectory, 'postmaster.pid')
  if (!existsSync(pidFile)) return false
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
  // The file may be older than the start of the machine, and the pid reused.
  if (!isAlive(pid) || !commandLine(pid).includes(dataDirectory)) return false
  await stopPostmaster(pid, 'fast')
  return true
}

async function responds(url: string): Promise<boolean> {
  return withClient(url, async () => true).catch(() => false)
}

/** The last lines of a log, for a message. */
export function logTail(logFile: string): string {
  const lines = existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n') : []
  return [`The end of ${logFile}:`, ...lines.slice(-15)].join('\n')
}
