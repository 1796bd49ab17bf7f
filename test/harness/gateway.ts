// Starts a gateway for a test on free ports: in this process, or as a process of its own.
import { readConfig } from '../../src/config/read-config.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { createGateway } from '../../src/serve/gateway.ts'
import type { Observation } from '../../src/model/observation.ts'
import type { Clock } from '../../src/model/terms.ts'
import { sharedCluster } from './cluster.ts'
import { requireDocumented } from './documented.ts'
import { FAST_PATH } from './fast-path.ts'
import { parseSql } from './parse-sql.ts'
import { hasEnded, isReady, listening, startProcess } from './process.ts'
import type { Addresses, ProcessOptions, SvodkaProcess } from './process.ts'
import { sharedShops, shopsEnvironment } from './shops.ts'

interface Started extends Addresses {
  /** Resolves once `/readyz` returns 200. */
  readonly ready: () => Promise<void>
  readonly stop: () => Promise<void>
}

export interface TestGateway extends Started {
  readonly observations: Observation[]
  drain(): void
}

export interface GatewayProcess extends Started, SvodkaProcess {
  readonly pid: number
}

interface Options extends Pick<ProcessOptions, 'limits'> {
  /** Default: the shops, unless the settings name databases and definitions. */
  readonly database?: 'shops' | 'demo'
  /** Resolves once it listens, ready or not. */
  readonly unready?: boolean
}

export interface TestGatewayOptions extends Options {
  readonly as?: 'in-process'
  readonly now?: Clock
  /** Default: `now` if that is given. */
  readonly wall?: Clock
}

export interface GatewayProcessOptions extends Options, ProcessOptions {
  readonly as: 'process'
}

export function startGateway(
  settings: NodeJS.ProcessEnv,
  options: GatewayProcessOptions,
): Promise<GatewayProcess>
export function startGateway(
  settings?: NodeJS.ProcessEnv,
  options?: TestGatewayOptions,
): Promise<TestGateway>
/** @param settings variables of the process; they win over those of the database. */
export async function startGateway(
  settings: NodeJS.ProcessEnv = {},
  options: TestGatewayOptions | GatewayProcessOptions = {},
): Promise<TestGateway | GatewayProcess> {
  const environment = { ...(await databaseOf(settings, options)), ...settings }
  const gateway =
    options.as === 'process'
      ? await startSeparately(environment, options)
      : await startInProcess(environment, options)
  if (options.unready) return gateway
  return gateway.ready().then(
    () => gateway,
    async (error: unknown) => {
      await gateway.stop()
      throw error
    },
  )
}

async function databaseOf(
  settings: NodeJS.ProcessEnv,
  { database = 'shops' }: Options,
): Promise<NodeJS.ProcessEnv> {
  if (database === 'demo') {
    const { urlFor } = await sharedCluster()
    return {
      DATABASE_URL: urlFor('svodka_reports', 'replica'),
      KEYS_DATABASE_URL: urlFor('svodka_keys', 'replica'),
      PROBE_DATABASE_URL: urlFor('svodka_probe', 'replica'),
    }
  }
  const isComplete = 'DATABASE_URL' in settings && 'SQL_DIR' in settings
  return isComplete ? {} : shopsEnvironment(await sharedShops())
}

async function startInProcess(
  environment: NodeJS.ProcessEnv,
  options: TestGatewayOptions,
): Promise<TestGateway> {
  const ofTests = { PORT: '0', OPS_PORT: '0', FAST_PATH, ALLOW_TMPFS: 'true' }
  const config = { ...readConfig({ ...ofTests, ...environment }), ...options.limits }
  const catalog = await loadCatalog(config.sqlDir, parseSql)
  const { now = () => performance.now(), wall = options.now ?? Date.now } = options
  const observations: Observation[] = []
  const gateway = createGateway({
    config,
    catalog,
    now,
    wall,
    random: () => 0,
    log: fact => void observations.push(fact),
  })
  const { port, opsPort } = await gateway.start()
  await requireDocumented(port, catalog)
  const opsUrl = `http://127.0.0.1:${opsPort}`
  return {
    url: `http://127.0.0.1:${port}`,
    opsUrl,
    observations,
    drain: () => gateway.drain(),
    stop: () => gateway.stop(),
    ready: () => isReady({ opsUrl }),
  }
}

async function startSeparately(
  environment: NodeJS.ProcessEnv,
  options: GatewayProcessOptions,
): Promise<GatewayProcess> {
  const started = startProcess('serve', environment, options)
  const { child, exit } = started
  const stop = async (): Promise<void> => {
    if (!hasEnded(started)) child.kill('SIGKILL')
    await exit
  }
  const addresses = await listening(started).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const pid = child.pid ?? Number.NaN
  return Object.assign(started, { ...addresses, pid, stop, ready: () => isReady(addresses) })
}
