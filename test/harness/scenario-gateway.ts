// The built gateway of a scenario, as a process in front of given ports, with the client that records its responses.
import { eventually } from '../../src/demo/processes.ts'
import { createClient, type Client } from './client.ts'
import { scrape, sumOf, type Sample } from './exposition.ts'
import { startGateway, type GatewayProcess, type GatewayProcessOptions } from './gateway.ts'
import { memoryBytes } from './process-figures.ts'
import { PRODUCT } from './servers.ts'

export interface Gateway extends GatewayProcess, Client {
  /** Resident memory when it became ready. */
  readonly memoryAtStart: number
  /** @throws Error if the scrape takes longer than 5 s. */
  metrics(): Promise<Sample[]>
  /** Sum of all series of that name with these labels. */
  total(name: string, labels?: Readonly<Record<string, string>>): Promise<number>
  executionsOf(definition: string): Promise<number>
  /** Waits until that number of requests is in flight. @returns whether it was reached */
  inFlight(count: number, withinMs?: number): Promise<boolean>
  /** Status of /readyz; 0 without a response. */
  readyStatus(): Promise<number>
}

export type ScenarioGatewayOptions = Pick<GatewayProcessOptions, 'limits' | 'log' | 'unready'>

/** Lower than the constants, so that smaller reports are written to files and scenarios end sooner. */
const LIMITS = { maxCachedBytes: 2 * 2 ** 20, connectTimeoutMs: 1000, keyTimeoutMs: 1000 }

const SETTINGS = {
  NODE_ENV: 'production',
  SQL_DIR: `${PRODUCT}/sql`,
  CACHE_MAX_BYTES: '32MiB',
  QUEUE_TIMEOUT: '5s',
  DRAIN_DELAY: '300ms',
  // why: a thousand clients may be of one organization
  MAX_REQUESTS_PER_ORGANIZATION: '1000',
}

export async function startScenarioGateway(
  settings: Readonly<Record<string, string>>,
  options: ScenarioGatewayOptions,
): Promise<Gateway> {
  const limits = { ...LIMITS, ...options.limits }
  const environment = { ...SETTINGS, ...settings }
  const started = await startGateway(environment, { ...options, as: 'process', limits })
  const { opsUrl, stop } = started
  const client = createClient(started.url)
  const metrics = (): Promise<Sample[]> => scrape(opsUrl)
  const total: Gateway['total'] = async (name, labels) => sumOf(await metrics(), name, labels)
  return Object.assign(started, {
    ...client,
    memoryAtStart: memoryBytes(started.pid),
    metrics,
    total,
    executionsOf: (definition: string) => total('svodka_runs_total', { definition }),
    inFlight: (count: number, withinMs = 10_000) =>
      eventually(async () => (await total('svodka_http_requests_in_flight')) === count, withinMs),
    readyStatus: () =>
      fetch(`${opsUrl}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
        ({ status }) => status,
        () => 0,
      ),
    async stop() {
      client.close()
      await stop()
    },
  })
}
