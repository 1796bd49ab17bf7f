/**
 * Wires, starts and stops the parts of the gateway. Only commands and tests import this file.
 */
import type { Server } from 'node:http'
import { HASH_OF_NO_KEY, organizationsByKey, type KeyHash } from './access/access-rows.ts'
import { createApi } from './api.ts'
import type { Config } from '../config/config.ts'
import { KEYS_POOL_SIZE } from '../config/limits.ts'
import { secretRemovalOf } from '../config/secrets.ts'
import { allDefinitions } from '../definitions/any-definition.ts'
import type { Catalog } from '../definitions/definition.ts'
import type { FileFinding } from '../definitions/findings.ts'
import { createOperations } from './http/operations.ts'
import { close, createServer, listen } from './http/server.ts'
import type { Gauges } from '../model/gauges.ts'
import type { Fact, Observation, Observe } from '../model/observation.ts'
import { loadFormats } from './formats/catalog.ts'
import { createMetrics, type Metrics } from './observe/metrics.ts'
import { createKeyDatabases } from './database/key-databases.ts'
import { busiestRatio } from './database/execution-times.ts'
import { openReplicas } from './database/replicas.ts'
import type { QueryRows } from './database/connection.ts'
import { createChecks } from './start/checks.ts'
import { revisionOfBuild, versionOfPackage } from '../config/build-info.ts'
import { readInheritedSettings } from './start/replica-faults.ts'
import type { Clock, Milliseconds } from '../model/terms.ts'
import { readiness } from './start/readiness.ts'
import type { Check } from '../model/gauges.ts'

/** Organizations that the operations port lists. */
const BUSIEST_COUNT = 10

export function createGateway(options: {
  readonly config: Config
  readonly catalog: Catalog
  /** Gets each observation after it was counted. */
  readonly log: Observe
  /** Monotonic. */
  readonly now?: Clock
  readonly wall?: Clock
  readonly random?: () => number
}) {
  let { catalog } = options
  let isDraining = false
  let reloadFindings: readonly FileFinding[] = []
  /** Undefined until the start. */
  let metrics: Metrics | undefined

  function observe(fact: Observation): void {
    metrics?.observe(fact)
    try {
      options.log(fact)
    } catch (error) {
      metrics?.observe({ kind: 'process-error', error })
    }
  }

  const shared = {
    now: () => performance.now(),
    wall: Date.now,
    random: Math.random,
    ...options,
    observe,
    catalog: () => catalog,
    draining: () => isDraining,
  }
  const { config, now, random, wall } = shared

  const { connectTimeoutMs, allowPrimary } = config
  const heartbeat = (): string | undefined => catalog.heartbeat?.text
  const currentUrl = (url: string): string => config.passwordFiles.currentUrl(url)
  const common = { random, currentUrl, connectTimeoutMs, allowPrimary, heartbeat, observe, now }
  const replicas = openReplicas({
    ...common,
    replicas: config.replicas,
    poolSize: config.reportPoolSize,
    queueTimeoutMs: config.queueTimeoutMs,
    reportsMaxLagMs: config.reportsMaxLagMs,
  })
  const keys = createKeyDatabases({
    ...common,
    servers: config.keyServers,
    probes: replicas.all.map(({ probe }) => probe),
    maxLagMs: config.keysMaxLagMs,
    poolSize: KEYS_POOL_SIZE,
    timeoutMs: config.keyTimeoutMs,
    check: read => findKeys(read, [HASH_OF_NO_KEY]),
  })
  const checks = createChecks({ ...shared, keys, replicas })
  const findKeys = (read: QueryRows, hashes: readonly KeyHash[]) =>
    organizationsByKey(read, catalog, hashes, checks.timeZoneFault)
  const api = createApi({
    ...shared,
    find: (hashes, isWanted) => keys.lookUp(read => findKeys(read, hashes), isWanted),
    execute(statement, stop, read) {
      checks.requirePlanned(statement.name)
      return replicas.execute(statement, stop, read)
    },
  })
  const removeSecrets = secretRemovalOf(config)

  function readinessChecks(): Check[] {
    return readiness({
      catalog,
      replicas: replicas.all.map(one => ({ ...one, faults: checks.ofReplica(one.name) })),
      keys: keys.statuses(),
      invalidAccessRowCount: api.gauges.invalidAccessRowCount(),
      cachedCount: api.gauges.cache().entryCount,
      validation: checks.validation(),
      planFailure: checks.planFailure(),
      organizations: checks.organizations(),
      reload: reloadFindings,
      spoolFailure: api.spoolFailure(),
      reportsMaxLagSeconds: config.reportsMaxLagMs / 1000,
      draining: isDraining,
    }).map(check => Object.assign(check, { reason: check.reason && removeSecrets(check.reason) }))
  }

  const opsServer = createServer(
    createOperations({
      observe,
      exposition: () => metrics!.exposition(),
      busiest: () => replicas.admission.busiest().slice(0, BUSIEST_COUNT),
      readiness: readinessChecks,
      host: config.opsHost,
    }),
  )

  async function open(server: Server, name: 'api' | 'operations', host: string, port: number) {
    const opened = await listen(server, host, port)
    observe({ kind: 'listening', server: name, host, port: opened })
    return opened
  }

  function observeLoaded(durationMs: Milliseconds): void {
    const counts = { reportCount: catalog.reports.size, metricCount: catalog.metrics.size }
    observe({ kind: 'definitions-loaded', ...counts, durationMs })
    for (const { file, source } of allDefinitions(catalog))
      for (const note of source.notes) observe({ kind: 'definition-note', file, ...note })
  }

  const gauges: Gauges = {
    ...api.gauges,
    checks: readinessChecks,
    definitions: () => allDefinitions(catalog),
    refusedDefinitionCount: checks.refusedCount,
    busiestRatio: () => busiestRatio(replicas.admission.busiest()),
    pools: () => [...replicas.pools(), ...keys.pools()],
    replicas: config.replicas.map(({ name }) => name),
    keyDatabases: keys.statuses,
    queueLength: replicas.admission.queueLength,
  }

  return {
    observe,
    /** Connects to all databases and plans the catalog, instead of serving. Closes all pools. */
    async check() {
      isDraining = true
      const [ofReplicas, ofKeys] = await Promise.all([replicas.check(), keys.check()])
      await checks.now()
      const inherited = await replicas.onUsable(readInheritedSettings)
      const result = {
        checks: readinessChecks(),
        /** Why databases cannot be used, by the name of their check. */
        failures: new Map([...ofReplicas, ...ofKeys]),
        findings: checks.findings(),
        inherited,
      }
      await Promise.all([replicas.stop(), keys.close()])
      return result
    },
    /**
     * Opens both ports.
     * @param loadedInMs the time that loading the catalog took
     * @throws Error as Node reports a port that cannot be opened
     */
    async start(loadedInMs: Milliseconds = 0) {
      metrics = createMetrics(
        gauges,
        { version: versionOfPackage(), revision: revisionOfBuild() },
        wall,
      )
      observeLoaded(loadedInMs)
      const opsPort = await open(opsServer, 'operations', config.opsHost, config.opsPort)
      const port = await open(api.server, 'api', config.host, config.port)
      keys.start()
      // why: modules of a later installation in the same folder may not fit this process
      replicas.start(() => void checks.now().then(loadFormats))
      return { port, opsPort }
    },
    /** The statements that the replica rejects; undefined while no replica is available. Never rejects. */
    dryRun: checks.dryRun,
    /** Used from the next request on; a request in flight ends with the definition that it began with. */
    replaceCatalog(next: Catalog, loadedInMs: Milliseconds): void {
      catalog = next
      observeLoaded(loadedInMs)
      void checks.now()
    },
    /** For the log, metrics and readiness. */
    reloaded: (found: Omit<Fact<'definitions-reloaded'>, 'kind'>): void => {
      reloadFindings = found.findings
      observe({ kind: 'definitions-reloaded', ...found })
    },
    /** Reports not ready from now on; requests are still served. */
    drain: () => void (isDraining = true),
    /** Ends requests in flight and closes pools. @throws the first failure to close a pool */
    async stop(): Promise<void> {
      const startedAt = now()
      isDraining = true
      api.closeUnused()
      await close(api.server, config.drainTimeoutMs)
      api.stop()
      const closed = await Promise.allSettled([replicas.stop(), keys.close()])
      await close(opsServer, 0)
      for (const one of closed) if (one.status === 'rejected') throw one.reason
      observe({ kind: 'stopped', durationMs: now() - startedAt })
    },
  }
}
