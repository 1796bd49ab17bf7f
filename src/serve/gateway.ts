/**
 * Wires, starts and stops the parts of the gateway. Only commands and tests import this file.
 */
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { createInvalidAccessRows } from './access/invalid-access-row.ts'
import { createOrganizationLookup } from './access/organization-lookup.ts'
import { createCache } from './cache/cache.ts'
import type { Config } from '../config/config.ts'
import { KEYS_POOL_SIZE } from '../config/limits.ts'
import { secretRemovalOf } from '../config/secrets.ts'
import { allDefinitions } from '../definitions/any-definition.ts'
import type { Catalog } from '../definitions/definition.ts'
import { describeFinding, type FileFinding } from '../definitions/findings.ts'
import { createActiveRequests } from './http/active-requests.ts'
import { createApi } from './http/api.ts'
import { createAuthentication } from './http/authenticate.ts'
import { createConnections } from './http/connections.ts'
import { createMetricsRoute } from './http/metrics-route.ts'
import { createOperations, type Check } from './http/operations.ts'
import { readiness } from './http/readiness.ts'
import { createReportRoute } from './http/report-route.ts'
import { createSender } from './http/sender.ts'
import { close, createServer, listen } from './http/server.ts'
import { createFastPath } from './http/fast-path/fast-path.ts'
import type { Gauges, KeyDatabaseStatus } from '../model/gauges.ts'
import type { Observe } from '../model/observation.ts'
import { createKeyDatabases } from './database/key-databases.ts'
import { busiestRatio } from './database/execution-times.ts'
import { openReplicas } from './database/replicas.ts'
import { createLoadMetrics } from './report/load-metrics.ts'
import { createLoadReport } from './report/load-report.ts'
import { createNegativeCache } from './report/negative-cache.ts'
import { createOutgoingBodies } from './report/outgoing-bodies.ts'
import { createSpool } from './report/spool.ts'
import { createCatalogCheck } from './start/catalog-check.ts'
import { createOrganizationChecks } from './start/organization-checks.ts'
import { createReplicaChecks } from './start/replica-checks.ts'
import type { Rejection } from './start/dry-run.ts'
import type { Clock } from '../model/terms.ts'

export interface Gateway {
  /** Connects to all databases and plans the catalog, instead of serving. Closes all pools. */
  check(): Promise<{
    /** Of readiness. */
    readonly checks: readonly Check[]
    /** Of databases, by the name of their check. */
    readonly failures: ReadonlyMap<string, unknown>
    /** Of statements that a replica rejects, and of `access/`. */
    readonly findings: readonly FileFinding[]
  }>
  /** Opens both ports. @throws Error as Node reports a port that cannot be opened. */
  start(): Promise<{ readonly port: number; readonly opsPort: number }>
  /** The statements that the replica rejects; undefined while no replica is available. Never rejects. */
  dryRun(catalog: Catalog): Promise<readonly Rejection[] | undefined>
  /** Used from the next request on; a request in flight ends with the definition that it began with. */
  replaceCatalog(catalog: Catalog): void
  /** @param findings that prevented the last reload, for readiness; none if it succeeded */
  reloaded(findings: readonly FileFinding[]): void
  /** Reports not ready from now on; requests are still served. */
  drain(): void
  /** Ends requests in flight and closes pools. @throws Error naming the parts that did not stop. */
  stop(): Promise<void>
}

export interface Observability {
  readonly observe: Observe
  readonly exposition: () => Promise<{ readonly contentType: string; readonly text: string }>
}

/** Size limit of the aliases, as a part of the cache's size. */
const ALIAS_PART = 1 / 16

/** Organizations that the operations port lists. */
const BUSIEST_COUNT = 10

export function createGateway(options: {
  readonly config: Config
  readonly catalog: Catalog
  /** Called after the dry run of the catalog in use. */
  readonly onDryRun?: () => void
  /** Creates the observer; the gauges are read at a scrape. */
  readonly observability: (gauges: Gauges) => Observability
  /** Monotonic. */
  readonly now: Clock
  readonly wall: Clock
  readonly random: () => number
}): Gateway {
  const { config, now, wall } = options
  let { catalog } = options
  let draining = false
  let reloadFindings: readonly FileFinding[] = []

  const gauges: Gauges = {
    checks: () => checks(),
    definitions: () => allDefinitions(catalog),
    refusedDefinitionCount: () => catalogCheck.refusedCount(),
    busiestRatio: () => busiestRatio(replicas.admission.busiest()),
    cache: () => ({
      byteCount: cache.byteCount(),
      maxBytes: config.cacheMaxBytes,
      entryCount: cache.entryCount(),
      aliasByteCount: fastPath.byteCount(),
    }),
    pools: () => [...replicas.pools(), ...keys.pools()],
    replicas: config.replicas.map(({ name }) => name),
    keyDatabases: () => keyStatuses(),
    queueLength: () => replicas.admission.queueLength(),
    inFlight: () => requests.count(),
    invalidAccessRowCount: () => invalidAccessRows.count(),
    bufferedBytes: () => ({
      spooledBytes: spool?.byteCount() ?? 0,
      maxSpooledBytes: config.spoolMaxBytes,
      heldBytes: outgoing.byteCount(),
    }),
  }
  const { observe, exposition } = options.observability(gauges)

  const { connectTimeoutMs, allowPrimary } = config
  const heartbeat = (): string | undefined => catalog.heartbeat?.text
  const currentUrl = (url: string): string => config.passwordFiles.currentUrl(url)
  const { gatewayCount } = config
  const common = {
    currentUrl,
    connectTimeoutMs,
    allowPrimary,
    gatewayCount,
    heartbeat,
    observe,
    now,
  }
  const organizationChecks = createOrganizationChecks({ keys: () => keys, observe, now })
  const replicas = openReplicas({
    ...common,
    replicas: config.replicas,
    poolSize: config.reportPoolSize,
    queueTimeoutMs: config.queueTimeoutMs,
    reportsMaxLagMs: config.reportsMaxLagMs,
    random: options.random,
  })
  const keys = createKeyDatabases({
    ...common,
    servers: config.keyServers,
    replicas: replicas.all.map(({ probe }) => probe),
    maxLagMs: config.keysMaxLagMs,
    random: options.random,
    poolSize: KEYS_POOL_SIZE,
    timeoutMs: config.keyTimeoutMs,
    access: () => catalog.access,
    timeZoneFault: zone => organizationChecks.timeZoneFault(zone),
  })
  const keyStatuses = (): KeyDatabaseStatus[] =>
    keys.statuses().map(status =>
      Object.assign(status, {
        checkFailure: status.checkFailure ?? organizationChecks.failureIn(status.replica),
      }),
    )
  const cache = createCache({
    maxBytes: config.cacheMaxBytes,
    random: options.random,
    observe,
    now,
  })
  const fastPath = createFastPath(cache, Math.floor(config.cacheMaxBytes * ALIAS_PART), now)
  const outgoing = createOutgoingBodies(config.cacheMaxBytes)
  const catalogCheck = createCatalogCheck({
    catalog: () => catalog,
    replicas,
    checkAccess: access => organizationChecks.checkAccess(access),
    checkOrganizations: file => organizationChecks.checkOrganizations(file),
    onDryRun: () => options.onDryRun?.(),
    draining: () => draining,
    observe,
  })
  const spool = createSpool({ maxBytes: config.spoolMaxBytes, folder: tmpdir() })
  const negativeCache = createNegativeCache({ observe, elapsed: () => performance.now() })
  const replicaChecks = createReplicaChecks({ replicas: replicas.all, observe })
  const loading = { execute: replicas.execute, negativeCache, observe }
  const loadReport = createLoadReport({ ...loading, maxBytes: config.maxCachedBytes, spool })
  const loadMetrics = createLoadMetrics(loading)
  const connections = createConnections(config, observe)
  const requests = createActiveRequests({
    connections,
    catalog: () => catalog,
    maxRequestsPerOrganization: config.maxRequestsPerOrganization,
    observe,
    now,
    wall,
  })
  const invalidAccessRows = createInvalidAccessRows({ observe, now })
  const lookup = createOrganizationLookup({
    find: (hashes, isWanted) => keys.find(hashes, isWanted),
    onInvalidRow: row => invalidAccessRows.note(row),
    maxInFlight: KEYS_POOL_SIZE,
    observe,
    now,
  })
  const sender = createSender({
    requests,
    connections,
    outgoing,
    stallTimeoutMs: config.stallTimeoutMs,
    draining: () => draining,
    now,
  })
  const api = createApi({
    fastPath: config.fastPath === 'on' ? fastPath : undefined,
    corsOrigins: config.corsOrigins,
    hasPage: config.explorer === 'on',
    authentication: createAuthentication({ lookup, connections, requests, observe, now }),
    report: createReportRoute({
      cache,
      loadReport(request, stop, origin) {
        catalogCheck.requirePlanned(request.definition.name)
        return loadReport(request, stop, origin)
      },
      now,
    }),
    metrics: createMetricsRoute({
      cache,
      loadMetrics(request, stop, origin) {
        catalogCheck.requirePlanned(request.definition.name)
        return loadMetrics(request, stop, origin)
      },
      now,
    }),
    requests,
    sender,
    observe,
    now,
  })
  const removeSecrets = secretRemovalOf(config)
  const checks = (): Check[] =>
    readiness({
      catalog,
      replicas: replicas.all.map(replica => ({
        ...replica,
        writePrivileges: () => replicaChecks.of(replica.name).writePrivileges,
        otherFault: () => replica.otherFault() ?? replicaChecks.of(replica.name).collations,
      })),
      keys: keyStatuses(),
      invalidAccessRowCount: invalidAccessRows.count(),
      cachedCount: cache.entryCount(),
      dryRun: catalogCheck.state(),
      organizations: catalogCheck.organizations(),
      reload: reloadFindings,
      spoolFailure: spool?.failure()?.message,
      draining,
    }).map(check => Object.assign(check, { reason: check.reason && removeSecrets(check.reason) }))
  const operations = createOperations({
    exposition,
    observe,
    busiest: () => replicas.admission.busiest().slice(0, BUSIEST_COUNT),
    readiness: checks,
    host: config.opsHost,
  })

  const apiServer = createServer(api, {
    onRefused: fact => observe(fact),
    onPipelined: () => observe({ kind: 'connection-closed', reason: 'pipelined' }),
  })
  apiServer.on('connection', socket => connections.open(socket))
  const opsServer = createServer(operations)

  async function open(
    server: Server,
    name: 'api' | 'operations',
    host: string,
    port: number,
  ): Promise<number> {
    const opened = await listen(server, host, port)
    observe({ kind: 'listening', server: name, host, port: opened })
    return opened
  }

  return {
    async check() {
      draining = true
      const [ofReplicas, ofKeys] = await Promise.all([replicas.check(), keys.check()])
      const rejections = (await catalogCheck.dryRun(catalog)) ?? []
      await Promise.all([catalogCheck.now(), replicaChecks.now()])
      const findings = rejections.map(({ finding }) => finding)
      const result = {
        checks: checks(),
        failures: new Map([...ofReplicas, ...ofKeys]),
        findings: [...findings, ...catalogCheck.organizations()],
      }
      replicaChecks.stop()
      organizationChecks.stop()
      await Promise.all([replicas.stop(), keys.close()])
      return result
    },
    async start() {
      const opsPort = await open(opsServer, 'operations', config.opsHost, config.opsPort)
      const port = await open(apiServer, 'api', config.host, config.port).catch(
        async (error: unknown) => {
          await close(opsServer, 0)
          throw error
        },
      )
      replicas.start(() => {
        void catalogCheck.now()
        void replicaChecks.now()
      })
      return { port, opsPort }
    },
    async dryRun(next) {
      const rejections = await catalogCheck.dryRun(next)
      const { heartbeat } = next
      // why: without a heartbeat that can be read, the lag is unknown, and keys may not be looked up there
      const finding =
        rejections && heartbeat && heartbeat.text !== catalog.heartbeat?.text
          ? await replicas.checkHeartbeat(heartbeat)
          : undefined
      if (finding === undefined) return rejections
      const error = new Error(describeFinding(finding))
      return [...(rejections ?? []), { definition: 'heartbeat', finding, error }]
    },
    replaceCatalog(next) {
      catalog = next
      void catalogCheck.now()
    },
    reloaded(findings) {
      reloadFindings = findings
    },
    drain() {
      draining = true
    },
    async stop() {
      const startedAt = now()
      draining = true
      const failures: Error[] = []
      const stopPart = (name: string, stopping: Promise<void>): Promise<void> =>
        stopping.catch((cause: unknown) => {
          failures.push(new Error(`${name} did not stop: ${String(cause)}`, { cause }))
        })
      replicaChecks.stop()
      organizationChecks.stop()
      connections.closeUnused()
      await stopPart('the API server', close(apiServer, config.drainTimeoutMs))
      await Promise.all([
        stopPart('the replicas', replicas.stop()),
        stopPart('the key databases', keys.close()),
      ])
      await stopPart('the operations server', close(opsServer, 0))
      if (failures.length > 1) throw new AggregateError(failures)
      if (failures[0] !== undefined) throw failures[0]
      observe({ kind: 'stopped', durationMs: now() - startedAt })
    },
  }
}
