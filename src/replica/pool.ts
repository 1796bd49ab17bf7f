/**
 * A pg pool that neither crashes the process nor waits for ever. Every connection is set up once:
 * read-only, in UTC, without JIT, checked by the server while a statement runs.
 */
import { Client, Pool } from 'pg'
import type { ClientBase, ClientConfig } from 'pg'
import type { Observe, PoolName, PoolUse } from '../observation.ts'
import type { Milliseconds } from '../terms.ts'
import { tapDataRows } from './data-row-tap.ts'

export interface PoolOptions {
  readonly name: PoolName
  readonly connectionString: string
  readonly max: number
  readonly connectTimeoutMs: Milliseconds
  readonly observe: Observe
  /** Asked once for each new connection; what it throws refuses the connection. */
  readonly accept?: (server: Server) => void
}

/** What answers on a connection. */
export interface Server {
  readonly inRecovery: boolean
  /** Another process answers than the one that was connected to: between us is a pooler. */
  readonly isPooled: boolean
}

/** Every field arrives as the text that PostgreSQL printed: dates are not shifted, integers not rounded. */
export const RAW_TEXT = { getTypeParser: () => (value: string | Buffer) => value }

type Settings = Readonly<Record<string, string>>

const GUARDS: Settings = {
  default_transaction_read_only: 'on',
  // why: a client that is gone frees its backend within half a second, not at the statement's end
  client_connection_check_interval: '500ms',
  lock_timeout: '1s',
  idle_in_transaction_session_timeout: '5s',
}

/** What the text of a value hangs on. */
const PRINTING: Settings = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'iso_8601',
  bytea_output: 'hex',
}

// measured: JIT makes a 6 ms report take 53 ms
const NO_JIT: Settings = { jit: 'off' }

/** What the plan of a report hangs on. Behind a pooler they have to stand on the role: `sql/product/roles.sql`. */
export const PLANNER_SETTINGS: Settings = {
  ...NO_JIT,
  // measured: one plan for organizations of all sizes makes product_sales of a large one take 5 s, not 0.2
  plan_cache_mode: 'force_custom_plan',
  // measured: trying all orders of seven tables takes 4 ms of operations, of four at a time 1.5, and finds no better one
  join_collapse_limit: '4',
  from_collapse_limit: '4',
}

/** What a report's answer and its plan hang on. */
export const STATEMENT_SETTINGS: Settings = { ...PRINTING, ...PLANNER_SETTINGS }

/** Of every connection that a report runs on. */
export const SESSION_SETTINGS: Settings = { ...GUARDS, ...STATEMENT_SETTINGS }

// why: the look-up of keys is the same for everybody, and its plan is kept
const KEY_SETTINGS: Settings = { ...GUARDS, ...PRINTING, ...NO_JIT }

function setUpStatement(name: PoolName): string {
  const settings = name === 'reports' ? SESSION_SETTINGS : KEY_SETTINGS
  const set = Object.entries(settings).map(
    ([key, value]) => `set_config('${key}', '${value}', false)`,
  )
  return `select pg_is_in_recovery()::text as in_recovery, pg_backend_pid() as backend, ${set.join(', ')}`
}

export function createPool(options: PoolOptions): Pool {
  const { name, connectTimeoutMs, observe, accept } = options
  const poolConfig = {
    connectionString: options.connectionString,
    application_name: `svodka ${name}`,
    max: options.max,
    min: 1,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: 3600,
    onConnect: (client: ClientBase) =>
      setUp(client, setUpStatement(name), connectTimeoutMs, accept),
    Client: TappedClient as unknown as new () => Client,
  }
  const pool = new Pool(poolConfig)
  const lost = (error: unknown): void => observe({ kind: 'connection-lost', pool: name, error })
  // why: a checked-out client has no error listener of the pool's, and a lost socket would end the process
  pool.on('connect', client => client.on('error', lost))
  pool.on('error', lost)
  return pool
}

/** The pool calls it with `new`. */
function TappedClient(config: ClientConfig): Client {
  const client = new Client(config)
  tapDataRows(client)
  return client
}

async function setUp(
  client: ClientBase,
  statement: string,
  timeoutMs: Milliseconds,
  accept: PoolOptions['accept'],
): Promise<void> {
  // why: the pool's own connection timeout ends before this query begins
  const { rows } = await within(timeoutMs, client, () =>
    client.query<{ in_recovery: string; backend: number }>(statement),
  )
  const { processID } = client as unknown as { readonly processID: number | null }
  accept?.({
    inRecovery: rows[0]?.in_recovery === 'true',
    isPooled: rows[0]?.backend !== processID,
  })
}

/** @throws as `within`. */
export async function isInRecovery(client: ClientBase, timeoutMs: Milliseconds): Promise<boolean> {
  const { rows } = await within(timeoutMs, client, () =>
    client.query<{ in_recovery: boolean }>('select pg_is_in_recovery() as in_recovery'),
  )
  return rows[0]?.in_recovery ?? false
}

/** @throws a transport error if the server does not answer in time; the connection is gone then. */
export async function within<T>(
  timeoutMs: Milliseconds,
  client: ClientBase,
  ask: () => Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => destroyConnection(client), timeoutMs)
  try {
    return await ask()
  } finally {
    clearTimeout(timer)
  }
}

export function poolUse(pool: Pool): PoolUse {
  return {
    inUse: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
    max: pool.options.max,
  }
}

/** Closes the socket at once; whatever waits on it fails with a transport error. */
export function destroyConnection(client: ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}
