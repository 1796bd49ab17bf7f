/** The gateway as a process, for `serve` and `watch`: log, metrics and signals. */
import type { Config } from '../../config/config.ts'
import { secretRemovalOf } from '../../config/secrets.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { monotonicClock } from '../../model/clock.ts'
import type { Observe } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { createGateway } from '../gateway.ts'
import { createLog } from '../observe/log.ts'
import { createMetrics } from '../observe/metrics.ts'
import type { Metrics } from '../observe/metrics.ts'
import { EXIT } from './exit.ts'
import type { Reloaded } from './reloading.ts'
import { untilStopped } from './signals.ts'
import { releaseYoungGeneration } from './young-generation.ts'
import { revisionOfBuild, versionOfPackage } from './version.ts'

export type GatewayProcess = ReturnType<typeof createGatewayProcess>

/** @param onDryRun see `createGateway` */
export function createGatewayProcess(
  config: Config,
  catalog: Catalog,
  loadedInMs: Milliseconds,
  onDryRun = (): void => {},
) {
  const clocks = { now: monotonicClock, wall: Date.now }
  const log = createLog({
    level: config.logLevel,
    trustProxy: config.trustProxy,
    pretty: process.stdout.isTTY,
    removeSecrets: secretRemovalOf(config),
    onDrop: () => observe({ kind: 'log-line-dropped' }),
    ...clocks,
  })
  for (const warning of config.warnings) log.log.warn(warning)
  let metrics: Metrics | undefined
  const observe: Observe = fact => {
    metrics?.observe(fact)
    try {
      log.observe(fact)
    } catch (error) {
      metrics?.observe({ kind: 'process-error', error })
    }
  }
  const gateway = createGateway({
    config,
    catalog,
    onDryRun,
    observe,
    exposition: () => metrics!.exposition(),
    ...clocks,
    random: Math.random,
  })
  const buildInfo = { version: versionOfPackage(), revision: revisionOfBuild() }
  metrics = createMetrics(gateway.gauges, buildInfo, clocks.wall)
  function observeLoaded(loaded: Catalog, durationMs: Milliseconds): void {
    const counts = { reportCount: loaded.reports.size, metricCount: loaded.metrics.size }
    observe({ kind: 'definitions-loaded', ...counts, durationMs })
  }
  observeLoaded(catalog, loadedInMs)

  return {
    gateway,
    observe,
    /** The catalog is used from the next request on. */
    replaceCatalog(next: Catalog, durationMs: Milliseconds): void {
      gateway.replaceCatalog(next)
      observeLoaded(next, durationMs)
    },
    /** For the log, metrics and readiness. */
    reloaded(result: Reloaded): void {
      gateway.reloaded(result.findings)
      observe({ kind: 'definitions-reloaded', ...changesOf(result) })
    },
    /** @returns the exit code, after the gateway has stopped or failed to start */
    async run(): Promise<number> {
      try {
        await gateway.start()
      } catch (error) {
        process.stderr.write(`${explainListenError(error, config)}\n`)
        log.close()
        return EXIT.environment
      }
      releaseYoungGeneration()
      const stopped = await untilStopped(gateway, config.drainDelayMs, observe)
      if (stopped.error !== undefined)
        log.log.error({ err: stopped.error }, 'the gateway did not stop completely')
      log.close()
      return stopped.code
    },
  }
}

function changesOf({ findings, inUse, before, changedTenancy }: Reloaded) {
  const files = [...inUse]
  const changed = files.flatMap(([file, { definition }]) => {
    const last = before.get(file)?.definition
    return last !== undefined && last.version !== definition.version ? [file] : []
  })
  return {
    findings,
    added: files.flatMap(([file]) => (before.has(file) ? [] : [file])),
    changed: changedTenancy === undefined ? changed : [changedTenancy, ...changed],
    removed: [...before.keys()].filter(file => !inUse.has(file)),
  }
}

function explainListenError(error: unknown, config: Config): string {
  const { code, port, hostname } = error as NodeJS.ErrnoException & {
    readonly port?: number
    readonly hostname?: string
  }
  // why: an unknown host is reported without a port; the operations port is opened first
  const isOperations = port === undefined ? hostname === config.opsHost : port === config.opsPort
  const [setting, host] = isOperations ? ['OPS_PORT', config.opsHost] : ['PORT', config.host]
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is taken: set ${setting} to another one.`
  if (code === 'EACCES')
    return `Port ${port} on ${host} may not be opened by this user: set ${setting} to one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is not an address of this machine: set ${isOperations ? 'OPS_HOST' : 'HOST'} to one.`
  return `The port of ${setting} could not be opened: ${String(error)}`
}
