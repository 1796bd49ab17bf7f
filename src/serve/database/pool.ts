/**
 * A pg pool that neither crashes the process nor waits forever. Every connection is set up once: read-only, UTC, no
 * JIT, and the server checks that the client is connected.
 */
import { Pool, type ClientBase } from 'pg'
import type { PoolUse } from '../../model/gauges.ts'
import type { Observe, PoolName, ServerIdentity } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { UnsuitableServerError } from './classify-error.ts'
import { DatabaseClient } from './database-client.ts'
import { localSettings, setUpStatement } from './session-settings.ts'
import { command } from './statement-bytes.ts'
import { within } from './timeout.ts'

/** Options of a server for every pool. */
export interface ServerOptions {
  readonly connectionString: string
  /** The connection string for a new connection, whose password may have changed. */
  readonly currentUrl?: ((connectionString: string) => string) | undefined
  readonly connectTimeoutMs: Milliseconds
  readonly observe: Observe
}

export interface PoolOptions extends ServerOptions {
  readonly name: PoolName
  readonly max: number
  /** True: a server that is not in recovery is rejected. */
  readonly replicaOnly?: boolean
  /** Called with each new session before its first use; if it throws, the session is refused. */
  readonly accept?: (client: DatabaseClient) => Promise<void>
}

const WRITABLE = 'the server at DATABASE_URL is not in recovery; ALLOW_PRIMARY=true lets it in'

type SetUp = ServerIdentity & Readonly<Record<'in_recovery' | 'direct', boolean>>

export type ClientPool = ReturnType<typeof createPool>

export function createPool(options: PoolOptions) {
  const { name, connectionString, currentUrl, connectTimeoutMs, observe } = options
  let isPoolerReported = false
  const sessions = new Set<DatabaseClient>()
  const poolConfig = {
    connectionString,
    application_name: `svodka ${name}`,
    max: options.max,
    min: 1,
    connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: 3600,
    onConnect: (client: ClientBase) => setUp(client as DatabaseClient),
    // why: the pool passes these options to each client
    Client: DatabaseClient,
    currentUrl,
    sessions,
  }
  const pool = new Pool(poolConfig as object)
  const lost = (error: unknown): void => observe({ kind: 'connection-lost', pool: name, error })
  pool.on('error', lost)
  // why: the pool does not listen for errors of checked-out clients, and a lost socket would end the process
  pool.on('connect', client => client.on('error', lost))
  pool.on('acquire', client => ((client as unknown as DatabaseClient).isInUse = true))
  pool.on('release', (_error, client) => ((client as unknown as DatabaseClient).isInUse = false))

  function drop(isDropped: (session: DatabaseClient) => boolean, reason?: unknown): void {
    for (const session of sessions) if (isDropped(session)) session.destroy(reason)
  }

  /** Sets a session up before its first use. @throws if it must not be used */
  async function setUp(client: DatabaseClient): Promise<void> {
    const connectedAt = performance.now()
    const text = setUpStatement(name, client.processID)
    const found = await within(connectTimeoutMs, client.secondRow<SetUp>(text), client)
    client.server = {
      isPooled: !found.direct,
      identity: { started: found.started, address: found.address },
      ageMs: () => performance.now() - connectedAt,
    }
    if ('getPeerCertificate' in client.socket) {
      const expiresAt = new Date(client.socket.getPeerCertificate().valid_to).toISOString()
      observe({ kind: 'server-certificate', pool: name, expiresAt })
    }
    if (options.replicaOnly && !found.in_recovery) throw new UnsuitableServerError(WRITABLE)
    if (!found.direct) {
      client.localSettings = [command(localSettings(name))]
      if (!isPoolerReported) observe({ kind: 'pooler-detected', pool: name })
      isPoolerReported = true
    }
    await options.accept?.(client)
  }

  return Object.assign(pool, {
    /** Closes idle sessions: the next query makes a new one. */
    dropIdle: (): void => drop(({ isInUse }) => !isInUse),
    /** Closes all sessions, also those that are being made, but no session whose result arrives. */
    dropSilent: (reason: unknown): void => drop(({ isReading }) => !isReading, reason),
    use: (): PoolUse => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max: options.max,
    }),
  })
}
