/** The gateway as a process, for `serve` and `watch`: log, metrics and signals. */
import type { Config } from '../../config/config.ts'
import { secretRemovalOf } from '../../config/secrets.ts'
import { allDefinitions } from '../../definitions/any-definition.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { createGateway } from '../gateway.ts'
import type { Gateway } from '../gateway.ts'
import type { Observe } from '../../model/observation.ts'
import { createClientAddressOf } from '../observe/client-address.ts'
import { createLog } from '../observe/log.ts'
import { createMetrics } from '../observe/metrics.ts'
import type { Metrics } from '../observe/metrics.ts'
import { monotonicClock } from '../../model/clock.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { EXIT } from './exit.ts'
import type { Reloaded } from './reloading.ts'
import { revisionOfBuild, versionOfPackage } from './version.ts'

/** After a crash, requests in flight have this time to finish. */
const CRASH_DRAIN_MS = 5000

export interface GatewayProcess {
  readonly gateway: Gateway
  readonly observe: Observe
  /** The catalog is used from the next request on. */
  replaceCatalog(catalog: Catalog, loadedInMs: Milliseconds): void
  /** For the log, metrics and readiness. */
  reloaded(result: Reloaded): void
  /** @returns the exit code, after the gateway has stopped or failed to start */
  run(): Promise<number>
}

export function createGatewayProcess(options: {
  readonly config: Config
  readonly catalog: Catalog
  readonly loadedInMs: Milliseconds
  /** @see createGateway */
  readonly onDryRun?: () => void
}): GatewayProcess {
  const { config, catalog, loadedInMs, ...rest } = options
  const clocks = { now: monotonicClock, wall: Date.now }
  const log = createLog({
    level: config.logLevel,
    clientAddressOf: createClientAddressOf(config.trustProxy ?? []),
    pretty: process.stdout.isTTY,
    removeSecrets: secretRemovalOf(config),
    onDrop: lineCount => observe({ kind: 'log-lines-dropped', lineCount }),
    ...clocks,
  })
  for (const warning of config.warnings) log.log.warn(warning)
  let observe: Observe = log.observe
  let metrics: Metrics | undefined
  const gateway = createGateway({
    ...rest,
    config,
    catalog,
    ...clocks,
    random: Math.random,
    observability: gauges => {
      const created = createMetrics({
        catalogNames: namesOf(catalog),
        gauges,
        buildInfo: { version: versionOfPackage(), revision: revisionOfBuild() },
        wall: clocks.wall,
      })
      metrics = created
      observe = fact => {
        created.observe(fact)
        try {
          log.observe(fact)
        } catch (error) {
          created.observe({ kind: 'process-error', error })
        }
      }
      return { observe, exposition: () => created.exposition() }
    },
  })
  const observeLoaded = (loaded: Catalog, durationMs: Milliseconds): void =>
    observe({
      kind: 'definitions-loaded',
      reportCount: loaded.reports.size,
      metricCount: loaded.metrics.size,
      durationMs,
    })
  observeLoaded(catalog, loadedInMs)

  return {
    gateway,
    observe: fact => observe(fact),
    replaceCatalog(next, durationMs) {
      metrics?.addNames(namesOf(next))
      gateway.replaceCatalog(next)
      observeLoaded(next, durationMs)
    },
    reloaded(result) {
      gateway.reloaded(result.findings)
      observe({ kind: 'definitions-reloaded', ...changesOf(result) })
    },
    async run() {
      try {
        await gateway.start()
      } catch (error) {
        process.stderr.write(`${explainListenError(error, config)}\n`)
        log.close()
        return EXIT.environment
      }
      const stopped = await untilStopped(gateway, config, observe)
      if (stopped.error !== undefined) {
        log.log.error({ err: stopped.error }, 'the gateway did not stop completely')
      }
      log.close()
      return stopped.code
    },
  }
}

function changesOf({ findings, inUse, before }: Reloaded) {
  const versionOf = (file: string): string | undefined => before.get(file)?.definition.version
  const files = [...inUse]
  return {
    findings,
    added: files.flatMap(([file]) => (before.has(file) ? [] : [file])),
    changed: files.flatMap(([file, { definition }]) =>
      before.has(file) && versionOf(file) !== definition.version ? [file] : [],
    ),
    removed: [...before.keys()].filter(file => !inUse.has(file)),
  }
}

function namesOf(catalog: Catalog): { reports: string[]; definitions: string[] } {
  const definitions = allDefinitions(catalog).map(({ name }) => name)
  return { reports: [...catalog.reports.keys()], definitions }
}

interface ListenErrorFields {
  readonly port?: number
  readonly hostname?: string
}

function explainListenError(error: unknown, config: Config): string {
  const { code, port, hostname } = error as NodeJS.ErrnoException & ListenErrorFields
  // why: an unknown host is reported without a port; the operations port is opened first
  const isOperations = port === undefined ? hostname === config.opsHost : port === config.opsPort
  const [setting, host] = isOperations ? ['OPS_PORT', config.opsHost] : ['PORT', config.host]
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken: set ${setting} to another one.`
    case 'EACCES':
      return `Port ${port} on ${host} may not be opened by this user: set ${setting} to one above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine: set ${setting === 'PORT' ? 'HOST' : 'OPS_HOST'} to one.`
    default:
      return `The port of ${setting} could not be opened: ${String(error)}`
  }
}

interface Stopped {
  readonly code: number
  /** Why a part of the gateway did not stop. */
  readonly error?: unknown
}

const STOP_SIGNALS = ['SIGTERM', 'SIGQUIT', 'SIGUSR2'] as const

/**
 * Ends the process on a stop signal before the gateway serves.
 * why: without a handler the first process of a container would not end, any other one with the code of a crash
 */
export function endOnEarlySignal(): void {
  for (const signal of STOP_SIGNALS) process.on(signal, endAtOnce)
}

function endAtOnce(): never {
  process.exit(EXIT.ok)
}

/**
 * SIGTERM, SIGQUIT and SIGUSR2: reports not ready, serves new requests for `DRAIN_DELAY`, then finishes the requests in flight.
 * SIGINT skips the delay; a second signal ends the process immediately.
 */
function untilStopped(gateway: Gateway, config: Config, observe: Observe): Promise<Stopped> {
  return new Promise(resolve => {
    let stopping = false
    const stop = (signal: string, delayMs: number, code: number): void => {
      if (stopping) process.exit(code === EXIT.ok ? 130 : code)
      stopping = true
      observe({ kind: 'draining', signal, delayMs })
      gateway.drain()
      const stopGateway = (): Promise<void> =>
        gateway.stop().then(
          () => resolve({ code }),
          (error: unknown) => resolve({ code: EXIT.findings, error }),
        )
      setTimeout(() => void stopGateway(), delayMs)
    }
    for (const signal of STOP_SIGNALS) {
      process.off(signal, endAtOnce)
      process.on(signal, () => stop(signal, config.drainDelayMs, EXIT.ok))
    }
    process.on('SIGINT', () => stop('SIGINT', 0, EXIT.ok))
    const crash = (error: unknown): void => {
      observe({ kind: 'process-error', error })
      if (stopping) return
      setTimeout(() => process.exit(EXIT.findings), CRASH_DRAIN_MS).unref()
      stop('crash', 0, EXIT.findings)
    }
    process.on('uncaughtException', crash)
    process.on('unhandledRejection', crash)
  })
}
