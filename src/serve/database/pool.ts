/**
 * A pg pool that neither crashes the process nor waits forever. Every connection is set up once: read-only, UTC, no
 * JIT, and the server checks that the client is connected. Behind a pooler the role must have these settings.
 */
import { Client, Pool } from 'pg'
import type { ClientBase, ClientConfig } from 'pg'
import type { PoolUse } from '../../model/gauges.ts'
import type { Observe, PoolName, ServerIdentity } from '../../model/observation.ts'
import type { Instant, Milliseconds } from '../../model/terms.ts'
import { WritableServerError } from './classify-error.ts'
import { connect, destroyConnection, servers, socketOf, within } from './connection.ts'
import type { Server } from './connection.ts'
import { tapDataRows } from './data-row-tap.ts'
import { PREPARED_ERRORS } from './prepared.ts'
import {
  DEFAULTS,
  describeLacking,
  findLacking,
  roleSettings,
  RoleSettingsError,
  setUpStatement,
} from './session-settings.ts'
import type { Settings } from './session-settings.ts'

/** Options of a server for every pool. */
export interface ServerOptions {
  readonly connectionString: string
  /** The connection string for a new connection, whose password may have changed. */
  readonly currentUrl?: ((connectionString: string) => string) | undefined
  readonly connectTimeoutMs: Milliseconds
  /** Called if a connection is refused because its role lacks a setting that results depend on. */
  readonly onRefused?: (error: RoleSettingsError) => void
  readonly observe: Observe
}

interface PoolOptions extends ServerOptions {
  readonly name: PoolName
  readonly max: number
  /** True: a server that is not in recovery is rejected. */
  readonly replicaOnly?: boolean
  /** Called with each new connection before its first use; if it throws, the connection is refused. */
  readonly accept?: (server: Server, client: ClientBase) => Promise<void> | undefined
}

/** Fields stay the text that PostgreSQL prints: dates are not shifted, integers not rounded. */
export const RAW_TEXT = { getTypeParser: () => (value: string | Buffer) => value }

type SetUp = Settings & {
  readonly in_recovery: boolean
  readonly direct: boolean
  readonly role: string
} & ServerIdentity

type SetUpResult = ReadonlyArray<{ readonly rows: readonly SetUp[] } | undefined>

export type ServerPool = ReturnType<typeof createPool>

export function createPool(options: PoolOptions) {
  const { name, connectionString, currentUrl, connectTimeoutMs, observe } = options
  const roles = { ...roleSettings(name), ...DEFAULTS }
  let isPreparing = true
  /** Missing settings that were last observed. */
  let reportedSettings: string | undefined
  /** Connections that can be used, and whether they are idle. why: the pool's own count includes connections that are being made */
  const connected = new Map<ClientBase, boolean>()
  const poolConfig = {
    connectionString,
    application_name: `svodka ${name}`,
    max: options.max,
    min: 1,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: 3600,
    onConnect: setUp,
    Client: class extends Client {
      constructor(config?: ClientConfig) {
        super(currentUrl ? { ...config, connectionString: currentUrl(connectionString) } : config)
        tapDataRows(this)
      }
    },
  }
  const pool: Pool = new Pool(poolConfig)
  const lost = (error: unknown): void => observe({ kind: 'connection-lost', pool: name, error })
  pool.on('error', lost)
  pool.on('connect', client => {
    // why: the pool does not listen for errors of checked-out clients, and a lost socket would end the process
    client.on('error', lost)
    connected.set(client, false)
  })
  pool.on('acquire', client => void connected.set(client, false))
  pool.on('release', (_error, client) => void connected.set(client, true))
  // why: if a connection is lost before checkout, the pool emits `remove` twice, first before `connect`
  pool.on('remove', client => void connected.delete(client))

  function dropIdle(): void {
    for (const [client, isIdle] of connected) if (isIdle) destroyConnection(client)
  }

  /** Sets a connection up before its first use. @throws if it must not be used */
  async function setUp(client: ClientBase): Promise<void> {
    const connectedAt = performance.now()
    const { processID } = client as unknown as { readonly processID: number | null }
    // why: pg's types know no text of several statements
    const query = () =>
      client.query(setUpStatement(name, processID)) as Promise<unknown> as Promise<SetUpResult>
    // why: the connection timeout of the pool does not cover this query
    const [, result] = await within(connectTimeoutMs, client, query)
    const found = result?.rows[0]
    if (found === undefined) throw new Error('the server returned no row')
    const server = {
      inRecovery: found.in_recovery,
      isPooled: !found.direct,
      identity: { started: found.started, address: found.address },
      ageMs: () => performance.now() - connectedAt,
    }
    servers.set(client, server)
    const expiresAt = certificateExpiry(client)
    if (expiresAt !== undefined) observe({ kind: 'server-certificate', pool: name, expiresAt })
    if (options.replicaOnly && !server.inRecovery) throw new WritableServerError()
    if (server.isPooled) checkRole(found)
    await options.accept?.(server, client)
    // why: a pooler may send each statement to another server
    if (server.isPooled) isPreparing = false
  }

  /** @throws RoleSettingsError if responses would be wrong. */
  function checkRole(found: SetUp): void {
    const missingSettings = findLacking(roles, found, found.role)
    const words = describeLacking(missingSettings)
    if (words !== reportedSettings)
      observe({ kind: 'pooler-detected', pool: name, missingSettings })
    reportedSettings = words
    if (!missingSettings.some(({ affectsResults }) => affectsResults)) return
    const error = new RoleSettingsError(name, missingSettings)
    options.onRefused?.(error)
    throw error
  }

  return Object.assign(pool, {
    /** Undefined once the connections are known not to support prepared statements. */
    nameOf: (one: string): string | undefined => (isPreparing ? one : undefined),
    /** A prepared statement could not be executed. @param code one of `PREPARED_ERRORS` */
    refused(code: string): void {
      // why: an altered table does not prove a pooler
      if (code !== PREPARED_ERRORS.planChanged) isPreparing = false
    },
    /** Connections that can be used, idle or in use. */
    connectedCount: (): number => connected.size,
    /** Closes idle connections: the next query makes a new one. */
    dropIdle,
    use: (): PoolUse => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max: options.max,
    }),
  })
}

/** Undefined without TLS. */
function certificateExpiry(client: ClientBase): Instant | undefined {
  const stream = socketOf(client)
  return 'getPeerCertificate' in stream
    ? new Date(stream.getPeerCertificate().valid_to).toISOString()
    : undefined
}

/** One connection with a pool's settings and checks. @throws what pg or the transport reports; WritableServerError, RoleSettingsError. */
export async function openSession(
  options: Pick<
    PoolOptions,
    'name' | 'connectionString' | 'currentUrl' | 'connectTimeoutMs' | 'replicaOnly'
  >,
) {
  const pool = createPool({ ...options, max: 1, observe: () => {} })
  try {
    const client = await connect(pool)
    const close = (): Promise<void> => {
      client.release(true)
      return pool.end()
    }
    return { client, close }
  } catch (error) {
    await pool.end()
    throw error
  }
}
