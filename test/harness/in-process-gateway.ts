// A gateway in this process on free ports, with settings of a test.
import type { Limits } from '../../src/config/limits.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { monotonicClock } from '../../src/model/clock.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { createGateway } from '../../src/serve/gateway.ts'
import type { Observation } from '../../src/model/observation.ts'
import { createMetrics } from '../../src/serve/observe/metrics.ts'
import type { Clock } from '../../src/model/terms.ts'
import { requireDocumented } from './documented.ts'
import { FAST_PATH } from './fast-path.ts'
import { parseSql } from './parse-sql.ts'
import { until } from './until.ts'

export interface TestGateway {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  readonly opsUrl: string
  readonly observations: Observation[]
  drain(): void
  stop(): Promise<void>
  /** Resolves once `/readyz` returns 200. */
  ready(): Promise<void>
}

export interface TestGatewayOptions {
  readonly now?: Clock
  /** Default: `now` if that is given. */
  readonly wall?: Clock
  /** Other limits than the constants. */
  readonly limits?: Partial<Limits>
}

/** @param environment variables of the process; ports are free ones. */
export async function startGateway(
  environment: NodeJS.ProcessEnv,
  options: TestGatewayOptions = {},
): Promise<TestGateway> {
  const ofTests = { PORT: '0', OPS_PORT: '0', FAST_PATH, ALLOW_TMPFS: 'true' }
  const settings = readConfig({ ...ofTests, ...environment })
  const config = { ...settings, ...options.limits }
  const catalog = await loadCatalog(config.sqlDir, parseSql)
  const { now = monotonicClock, wall = options.now ?? Date.now } = options
  const observations: Observation[] = []
  const gateway = createGateway({
    config,
    catalog,
    now,
    wall,
    random: () => 0,
    observe(fact) {
      observations.push(fact)
      metrics.observe(fact)
    },
    exposition: () => metrics.exposition(),
  })
  const metrics = createMetrics(gateway.gauges, { version: 'test' }, wall)
  const { port, opsPort } = await gateway.start()
  await requireDocumented(port, catalog)
  const opsUrl = `http://127.0.0.1:${opsPort}`
  return {
    url: `http://127.0.0.1:${port}`,
    opsUrl,
    observations,
    drain: () => gateway.drain(),
    stop: () => gateway.stop(),
    ready: async () => {
      await until(async () => (await fetch(`${opsUrl}/readyz`)).status === 200)
    },
  }
}
