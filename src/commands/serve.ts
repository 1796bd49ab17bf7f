/** `svodka serve`: the gateway as a process. What ends the start, and what ends the process. */
import { readFileSync } from 'node:fs'
import { createSystemClock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { Catalog } from '../definitions/definition.ts'
import { createGateway } from '../gateway.ts'
import type { Gateway } from '../gateway.ts'
import type { Observe } from '../observation.ts'
import { fanOut } from '../observability/fan-out.ts'
import { createLog } from '../observability/log.ts'
import { createMetrics } from '../observability/metrics.ts'
import { EXIT, loadAll } from './load-all.ts'

/** A crash of ours gets this long to finish what is in flight. */
const CRASH_DRAIN_MS = 5000

/** Answers the exit code once the gateway has stopped, or could not start. */
export async function serve(environment: NodeJS.ProcessEnv): Promise<number> {
  const now = createSystemClock()
  const loadedFrom = now()
  const loaded = loadAll(environment)
  if (typeof loaded === 'number') return loaded
  const { config, catalog } = loaded

  const log = createLog({
    level: config.logLevel,
    requests: config.logRequests,
    slowRequestMs: config.slowRequestMs,
    pretty: process.stdout.isTTY,
    now,
  })
  for (const warning of config.warnings) log.log.warn(warning)
  let observe: Observe = log.observe
  const gateway = createGateway({
    config,
    catalog,
    now,
    random: Math.random,
    observability: gauges => {
      const metrics = createMetrics({
        catalogNames: namesOf(catalog),
        gauges,
        buildInfo: buildInfo(),
        now,
      })
      observe = fanOut(log.observe, metrics.observe)
      return { observe, exposition: () => metrics.exposition() }
    },
  })
  observe({
    kind: 'definitions-loaded',
    reportCount: catalog.reports.size,
    metricCount: catalog.metrics.size,
    durationMs: now() - loadedFrom,
  })
  try {
    await gateway.start()
  } catch (error) {
    process.stderr.write(`${explainListenError(error, config)}\n`)
    log.close()
    return EXIT.environment
  }
  const code = await untilStopped(gateway, config, observe)
  log.close()
  return code
}

function namesOf(catalog: Catalog): { reports: string[]; definitions: string[] } {
  const files = [...catalog.reports.values(), ...catalog.metricsFiles.values()]
  return { reports: [...catalog.reports.keys()], definitions: files.map(({ name }) => name) }
}

function buildInfo(): { version: string } {
  const path = new URL('../../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
  return { version }
}

function explainListenError(error: unknown, config: Config): string {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  const [setting, host] =
    port === config.opsPort ? ['OPS_PORT', config.opsHost] : ['PORT', config.host]
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken: set ${setting} to another one.`
    case 'EACCES':
      return `Port ${port} on ${host} may not be opened by this user: set ${setting} to one above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine: set ${setting === 'PORT' ? 'HOST' : 'OPS_HOST'} to one.`
    default:
      return `The port of ${setting} could not be opened: ${String(error)}`
  }
}

/**
 * SIGTERM: not ready at once, serving on for `DRAIN_DELAY`, then finishing what is in flight.
 * SIGINT skips the delay; a second signal ends the process at once.
 */
function untilStopped(gateway: Gateway, config: Config, observe: Observe): Promise<number> {
  return new Promise(resolve => {
    let stopping = false
    const stop = (signal: string, delayMs: number, code: number): void => {
      if (stopping) process.exit(code === EXIT.ok ? 130 : code)
      stopping = true
      observe({ kind: 'draining', signal, delayMs })
      gateway.drain()
      setTimeout(() => void gateway.stop().then(() => resolve(code)), delayMs)
    }
    process.on('SIGTERM', () => stop('SIGTERM', config.drainDelayMs, EXIT.ok))
    process.on('SIGINT', () => stop('SIGINT', 0, EXIT.ok))
    const crash = (error: unknown): void => {
      observe({ kind: 'process-error', error })
      if (stopping) return
      setTimeout(() => process.exit(EXIT.definitions), CRASH_DRAIN_MS).unref()
      stop('crash', 0, EXIT.definitions)
    }
    process.on('uncaughtException', crash)
    process.on('unhandledRejection', crash)
  })
}
