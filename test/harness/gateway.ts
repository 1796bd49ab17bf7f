// The gateway as it is shipped: built, a process of its own, in front of whatever ports it is given.
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../src/demo/ports.ts'
import { eventually } from '../../src/demo/processes.ts'
import type { Watchdog } from '../../src/demo/watchdog.ts'
import { memoryBytes } from '../bench/process-figures.ts'
import { readExposition } from './exposition.ts'
import type { Sample } from './exposition.ts'
import { createRecorder } from './recorder.ts'
import type { Recorder } from './recorder.ts'
import { PRODUCT } from './servers.ts'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

export interface Gateway extends Recorder {
  readonly url: string
  readonly opsUrl: string
  readonly pid: number
  /** Resident memory when it was ready. */
  readonly memoryAtStart: number
  /** Undefined while it runs. */
  readonly exitCode: number | null | undefined
  readonly exit: Promise<number | null>
  signal(name: NodeJS.Signals): void
  /** @param withinMs of the scrape. @throws Error if it takes longer. */
  metrics(withinMs?: number): Promise<Sample[]>
  /** Of /readyz. */
  readyStatus(): Promise<number>
  log(): string
  stop(): Promise<void>
}

export interface GatewayOptions {
  readonly folder: string
  readonly watchdog: Watchdog
  readonly env: Readonly<Record<string, string>>
  /** Resolves once it listens, ready or not. */
  readonly unready?: boolean
  /** A file descriptor; the log's file unless said. */
  readonly stdout?: number
}

/** No figure of a scenario's: only what never gets ready is to be told from what is slow to. */
const READY_WITHIN_MS = 20_000

let started = 0

/** @throws Error with the end of its log if it does not get ready. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { folder, watchdog, env } = options
  started += 1
  const logFile = join(folder, `gateway-${started}.log`)
  const log = openSync(logFile, 'a')
  const port = await freePort()
  const opsPort = await freePort()
  const child = watchdog.spawn(process.execPath, [MAIN, 'serve'], {
    signal: 'KILL',
    env: {
      NODE_ENV: 'production',
      SQL_DIR: `${PRODUCT}/sql`,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      CACHE_MAX_BYTES: '32MiB',
      CACHE_MAX_ENTRY_BYTES: '2MiB',
      CONNECT_TIMEOUT: '1s',
      QUEUE_TIMEOUT: '5s',
      KEY_TIMEOUT: '1s',
      DRAIN_DELAY: '300ms',
      // why: a herd of a thousand clients may be one organization's
      MAX_REQUESTS_PER_ORGANIZATION: '1000',
      ...env,
    },
    cwd: folder,
    stdout: options.stdout ?? log,
    stderr: log,
  })
  closeSync(log)
  let exitCode: number | null | undefined
  const exit = new Promise<number | null>(resolve => {
    child.once('exit', code => {
      exitCode = code
      resolve(code)
    })
  })
  const stop = async (): Promise<void> => {
    if (exitCode !== undefined) return
    child.kill('SIGKILL')
    await exit
  }
  const url = `http://127.0.0.1:${port}`
  const opsUrl = `http://127.0.0.1:${opsPort}`
  const statusOf = (path: string, withinMs = 1000): Promise<number> =>
    fetch(`${opsUrl}${path}`, { signal: AbortSignal.timeout(withinMs) }).then(
      ({ status }) => status,
      () => 0,
    )
  const said = (): string => readFileSync(logFile, 'utf8')
  const wanted = options.unready ? '/livez' : '/readyz'
  const isUp = await eventually(
    async () => exitCode !== undefined || (await statusOf(wanted)) === 200,
    READY_WITHIN_MS,
  )
  if (!isUp || exitCode !== undefined) {
    await stop()
    const found = exitCode === null ? 'does not get ready' : `ended with ${exitCode}`
    throw new Error(`the gateway ${found}: ${said().trim().split('\n').slice(-3).join(' ')}`)
  }
  const recorder = createRecorder(url)
  const pid = child.pid ?? Number.NaN
  return {
    ...recorder,
    url,
    opsUrl,
    pid,
    memoryAtStart: memoryBytes(pid),
    get exitCode() {
      return exitCode
    },
    exit,
    signal: name => void child.kill(name),
    async metrics(withinMs = 5000) {
      const answer = await fetch(`${opsUrl}/metrics`, { signal: AbortSignal.timeout(withinMs) })
      return readExposition(await answer.text())
    },
    readyStatus: () => statusOf('/readyz'),
    log: said,
    async stop() {
      recorder.close()
      await stop()
    },
  }
}
