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
import { CommandError, EXIT } from './exit.ts'
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
  onDryRun?: () => void,
) {
  const log = createLog({
    level: config.logLevel,
    trustProxy: config.trustProxy,
    pretty: process.stdout.isTTY,
    removeSecrets: secretRemovalOf(config),
    onDrop: () => observe({ kind: 'log-line-dropped' }),
    now: monotonicClock,
    wall: Date.now,
  })
  const observe: Observe = fact => {
    metrics.observe(fact)
    try {
      log.observe(fact)
    } catch (error) {
      metrics.observe({ kind: 'process-error', error })
    }
  }
  const gateway = createGateway({
    config,
    catalog,
    onDryRun,
    observe,
    exposition: () => metrics.exposition(),
  })
  const buildInfo = { version: versionOfPackage(), revision: revisionOfBuild() }
  const metrics = createMetrics(gateway.gauges, buildInfo, Date.now)
  for (const warning of config.warnings) log.log.warn(warning)
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
    reloaded({ findings, added, changed, removed }: Reloaded): void {
      gateway.reloaded(findings)
      observe({ kind: 'definitions-reloaded', findings, added, changed, removed })
    },
    /** @returns the exit code, after the gateway has stopped @throws CommandError if a port cannot be opened */
    async run(): Promise<number> {
      try {
        await gateway.start()
      } catch (error) {
        log.close()
        throw new CommandError(EXIT.environment, explainListenError(error, config))
      }
      releaseYoungGeneration()
      let code = await untilStopped(gateway.drain, config.drainDelayMs, observe)
      try {
        await gateway.stop()
      } catch (error) {
        log.log.error({ err: error }, 'the gateway did not stop completely')
        code = EXIT.findings
      }
      log.close()
      return code
    },
  }
}

function explainListenError(error: unknown, config: Config): string {
  const { code = '', server } = error as NodeJS.ErrnoException & { readonly server?: string }
  const { host, port, prefix } =
    server === 'operations'
      ? { host: config.opsHost, port: config.opsPort, prefix: 'OPS_' }
      : { ...config, prefix: '' }
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is taken: set ${prefix}PORT to another one.`
  if (code === 'EACCES')
    return `Port ${port} on ${host} may not be opened by this user: set ${prefix}PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is not an address of this machine: set ${prefix}HOST to one.`
  return `The port of ${prefix}PORT could not be opened: ${String(error)}`
}
