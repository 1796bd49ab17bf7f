// The built gateway as a separate process, in front of given ports.
import type { Limits } from '../../src/config/limits.ts'
import { freePort } from '../../src/demo/ports.ts'
import { eventually } from '../../src/demo/processes.ts'
import type { Watchdog } from '../../src/demo/watchdog.ts'
import { memoryBytes } from './process-figures.ts'
import { startLoggedProcess } from './process.ts'
import { createClient, type Client } from './client.ts'
import { scrape, sumOf, type Sample } from './exposition.ts'
import { PRODUCT } from './servers.ts'

export interface Gateway extends Client {
  readonly url: string
  readonly opsUrl: string
  readonly pid: number
  /** Resident memory when it became ready. */
  readonly memoryAtStart: number
  /** Undefined while it runs. */
  readonly exitCode: number | null | undefined
  readonly exit: Promise<number | null>
  signal(name: NodeJS.Signals): void
  /** @throws Error if the scrape takes longer than 5 s. */
  metrics(): Promise<Sample[]>
  /** Sum of all series of that name with these labels. */
  total(name: string, labels?: Readonly<Record<string, string>>): Promise<number>
  executionsOf(definition: string): Promise<number>
  /** Waits until that number of requests is in flight. @returns whether it was reached */
  inFlight(count: number, withinMs?: number): Promise<boolean>
  /** Status of /readyz. */
  readyStatus(): Promise<number>
  log(): string
  stop(): Promise<void>
}

export interface GatewayOptions {
  readonly folder: string
  readonly watchdog: Watchdog
  readonly env: Readonly<Record<string, string>>
  readonly limits?: Partial<Limits>
  /** Resolves once it listens, ready or not. */
  readonly unready?: boolean
}

/** Lower than the constants, so that smaller reports are written to files and scenarios end sooner. */
const LIMITS = { maxCachedBytes: 2 * 2 ** 20, connectTimeoutMs: 1000, keyTimeoutMs: 1000 }

/** Limit that separates a slow start from a failed one. */
const READY_WITHIN_MS = 20_000

/** @throws Error with the end of its log if it does not become ready. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const [port, opsPort] = [await freePort(), await freePort()]
  const environment = {
    NODE_ENV: 'production',
    SQL_DIR: `${PRODUCT}/sql`,
    PORT: String(port),
    OPS_PORT: String(opsPort),
    CACHE_MAX_BYTES: '32MiB',
    QUEUE_TIMEOUT: '5s',
    DRAIN_DELAY: '300ms',
    ALLOW_TMPFS: 'true',
    // why: a thousand clients may be of one organization
    MAX_REQUESTS_PER_ORGANIZATION: '1000',
    ...options.env,
  }
  const limits = { ...LIMITS, ...options.limits }
  const started = startLoggedProcess(limits, environment, options)
  const { child, exit } = started
  let exitCode: number | null | undefined
  void exit.then(code => (exitCode = code))
  const stop = async (): Promise<void> => {
    if (exitCode === undefined) child.kill('SIGKILL')
    await exit
  }
  const url = `http://127.0.0.1:${port}`
  const opsUrl = `http://127.0.0.1:${opsPort}`
  const statusOf = (path: string): Promise<number> =>
    fetch(`${opsUrl}${path}`, { signal: AbortSignal.timeout(1000) }).then(
      ({ status }) => status,
      () => 0,
    )
  const metrics = (): Promise<Sample[]> => scrape(opsUrl)
  const total: Gateway['total'] = async (name, labels) => sumOf(await metrics(), name, labels)
  const wanted = options.unready ? '/livez' : '/readyz'
  const isUp = await eventually(
    async () => exitCode !== undefined || (await statusOf(wanted)) === 200,
    READY_WITHIN_MS,
  )
  if (!isUp || exitCode !== undefined) {
    await stop()
    const found = exitCode === null ? 'did not become ready' : `ended with ${exitCode}`
    throw new Error(`the gateway ${found}: ${started.out.trim().split('\n').slice(-3).join(' ')}`)
  }
  const client = createClient(url)
  const pid = child.pid ?? Number.NaN
  return {
    ...client,
    url,
    opsUrl,
    pid,
    memoryAtStart: memoryBytes(pid),
    get exitCode() {
      return exitCode
    },
    exit,
    signal: name => void child.kill(name),
    metrics,
    total,
    executionsOf: definition => total('svodka_runs_total', { definition }),
    inFlight: (count, withinMs = 10_000) =>
      eventually(async () => (await total('svodka_http_requests_in_flight')) === count, withinMs),
    readyStatus: () => statusOf('/readyz'),
    log: () => started.out,
    async stop() {
      client.close()
      await stop()
    },
  }
}
