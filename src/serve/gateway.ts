/**
 * Wires, starts and stops the parts of the gateway. Only commands and tests import this file.
 */
import type { Server } from 'node:http'
import { createOrganizationsByKey, NO_KEY } from './access/organizations-by-key.ts'
import { createApiServer } from './api-server.ts'
import type { Config } from '../config/config.ts'
import { KEYS_POOL_SIZE } from '../config/limits.ts'
import { secretRemovalOf } from '../config/secrets.ts'
import { allDefinitions } from '../definitions/any-definition.ts'
import type { Catalog } from '../definitions/definition.ts'
import { describeFinding, type FileFinding } from '../definitions/findings.ts'
import { createOperations, type Check } from './http/operations.ts'
import { readiness } from './http/readiness.ts'
import { close, createServer, listen } from './http/server.ts'
import type { Gauges, KeyDatabaseStatus } from '../model/gauges.ts'
import type { Observe } from '../model/observation.ts'
import { createKeyDatabases } from './database/key-databases.ts'
import { busiestRatio } from './database/execution-times.ts'
import { openReplicas } from './database/replicas.ts'
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
  const { config, now, random } = options
  let { catalog } = options
  let draining = false
  let reloadFindings: readonly FileFinding[] = []

  const gauges: Gauges = {
    checks: () => checks(),
    definitions: () => allDefinitions(catalog),
    refusedDefinitionCount: () => catalogCheck.refusedCount(),
    busiestRatio: () => busiestRatio(replicas.admission.busiest()),
    cache: () => api.cache(),
    pools: () => [...replicas.pools(), ...keys.pools()],
    replicas: config.replicas.map(({ name }) => name),
    keyDatabases: () => keyStatuses(),
    queueLength: () => replicas.admission.queueLength(),
    inFlight: () => api.inFlight(),
    invalidAccessRowCount: () => api.invalidAccessRowCount(),
    bufferedBytes: () => api.bufferedBytes(),
  }
  const { observe, exposition } = options.observability(gauges)

  const { connectTimeoutMs, allowPrimary } = config
  const heartbeat = (): string | undefined => catalog.heartbeat?.text
  const currentUrl = (url: string): string => config.passwordFiles.currentUrl(url)
  const common = { random, currentUrl, connectTimeoutMs, allowPrimary, heartbeat, observe, now }
  const organizationChecks = createOrganizationChecks({ keys: () => keys, observe, now })
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
  })
  const organizationsByKey = createOrganizationsByKey({
    access: () => catalog.access,
    timeZoneFault: zone => organizationChecks.timeZoneFault(zone),
  })
  const keyStatuses = (): KeyDatabaseStatus[] =>
    keys.statuses().map(status =>
      Object.assign(status, {
        checkFailure: status.checkFailure ?? organizationChecks.failureIn(status.replica),
      }),
    )
  const catalogCheck = createCatalogCheck({
    catalog: () => catalog,
    replicas,
    checks: organizationChecks,
    onDryRun: () => options.onDryRun?.(),
    draining: () => draining,
    observe,
  })
  const replicaChecks = createReplicaChecks({ replicas, observe })
  const api = createApiServer({
    ...options,
    catalog: () => catalog,
    draining: () => draining,
    find: (hashes, isWanted) => keys.lookUp(read => organizationsByKey(read, hashes), isWanted),
    execute: replicas.execute,
    requirePlanned: name => catalogCheck.requirePlanned(name),
    observe,
  })
  const removeSecrets = secretRemovalOf(config)
  const checks = (): Check[] =>
    readiness({
      catalog,
      replicas: replicas.all.map(replica => ({
        ...replica,
        state: replica.probe.state,
        writePrivileges: () => replicaChecks.of(replica.name).writePrivileges,
        otherFault: () => replica.otherFault() ?? replicaChecks.of(replica.name).collations,
      })),
      keys: keyStatuses(),
      invalidAccessRowCount: api.invalidAccessRowCount(),
      cachedCount: api.cache().entryCount,
      dryRun: catalogCheck.state(),
      organizations: catalogCheck.organizations(),
      reload: reloadFindings,
      spoolFailure: api.spoolFailure(),
      draining,
    }).map(check => Object.assign(check, { reason: check.reason && removeSecrets(check.reason) }))
  const opsServer = createServer(
    createOperations({
      exposition,
      observe,
      busiest: () => replicas.admission.busiest().slice(0, BUSIEST_COUNT),
      readiness: checks,
      host: config.opsHost,
    }),
  )

  async function open(server: Server, name: 'api' | 'operations', host: string, port: number) {
    const opened = await listen(server, host, port)
    observe({ kind: 'listening', server: name, host, port: opened })
    return opened
  }

  return {
    async check() {
      draining = true
      const [ofReplicas, ofKeys] = await Promise.all([
        replicas.check(),
        keys.check(read => organizationsByKey(read, [NO_KEY])),
      ])
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
      const port = await open(api.server, 'api', config.host, config.port).catch(
        async (error: unknown) => {
          await close(opsServer, 0)
          throw error
        },
      )
      keys.start()
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
    reloaded: findings => void (reloadFindings = findings),
    drain: () => void (draining = true),
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
      api.closeUnused()
      await stopPart('the API server', close(api.server, config.drainTimeoutMs))
      api.stopLoads()
      await Promise.all([
        stopPart('the replicas', replicas.stop()),
        stopPart('the key databases', keys.close()),
      ])
      await stopPart('the operations server', close(opsServer, 0))
      if (failures.length > 0)
        throw failures.length > 1 ? new AggregateError(failures) : failures[0]
      observe({ kind: 'stopped', durationMs: now() - startedAt })
    },
  }
}
