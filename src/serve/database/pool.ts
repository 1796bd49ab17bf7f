/**
 * Pools of sessions that neither crash the process nor wait forever. Every session is set up once: read-only, UTC, no
 * JIT, and the server checks that the client is connected. Knows pg and knex.
 * @see ../../decisions/0023-knex-owns-the-small-pools.md
 */
import { callbackify } from 'node:util'
import knex from 'knex'
import { Pool, type ClientBase } from 'pg'
import type { PoolUse } from '../../model/gauges.ts'
import type { Stop } from '../../model/stop.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { transportError } from './classify-error.ts'
import { DatabaseClient } from './database-client.ts'
import { configOf, createSetUp } from './connection.ts'
import type { Sessions, SessionOptions, SetUp } from './connection.ts'

const IDLE_MS: Milliseconds = 60_000
const LIFETIME_MS: Milliseconds = 3_600_000
/** The largest delay of a timer. Connecting and look-ups have limits of their own, which count time awake. */
const NEVER_MS: Milliseconds = 2 ** 31 - 1
/** why: acquiring a session from tarn costs 25 promises and two timers, so a query takes that of the one before */
const HELD_MS: Milliseconds = 1000

type Take = (error: unknown, client: DatabaseClient | undefined) => void

/** What hands out sessions. */
interface Source {
  acquire(take: Take): void
  use(): Omit<PoolUse, 'max'>
  end(): Promise<void>
}

interface PoolOptions extends SessionOptions {
  readonly max: number
}

export type SessionPool = ReturnType<typeof createPool>

export function createPool(options: PoolOptions) {
  const sessions = new Set<DatabaseClient>()
  const setUp = createSetUp(options)
  const source =
    options.name === 'reports'
      ? reportSource(options, sessions, setUp)
      : knexSource(options, sessions, setUp)
  let ending: Promise<void> | undefined

  function drop(isDropped: (session: DatabaseClient) => boolean, reason?: unknown): void {
    for (const session of sessions) if (isDropped(session)) session.destroy(reason)
  }

  /**
   * @throws what pg or the transport reports: an unknown error is attributed to the server, not to the execution; the
   *   reason of the stop, without waiting for the connection
   */
  function connect(stop?: Stop): Promise<DatabaseClient> {
    return new Promise((resolve, reject) => {
      if (ending !== undefined) return reject(transportError(new Error('the pool has ended')))
      const remove = stop?.onStop(reject)
      if (stop?.reason !== undefined) return
      // why: a promise of pg-pool costs a stack trace
      source.acquire((error, client) => {
        remove?.()
        if (client === undefined) return reject(transportError(error))
        client.isInUse = true
        // why: a connection that is made after the stop is for others
        if (stop?.reason !== undefined) client.giveBack()
        else resolve(client)
      })
    })
  }

  return {
    connect,
    /** Calls `use` with a session, then gives it back. @throws as `use` and `connect` */
    async withSession<T>(use: (client: DatabaseClient) => Promise<T>): Promise<T> {
      const client = await connect()
      try {
        return await use(client)
      } finally {
        client.giveBack()
      }
    },
    /** Counts sessions, also those that are being made. */
    count(): number {
      const { inUse, idle } = source.use()
      return inUse + idle
    },
    /** Closes idle sessions: the next query makes a new one. */
    dropIdle: (): void => drop(({ isInUse }) => !isInUse),
    /** Closes all sessions, also those that are being made, but no session whose result arrives. */
    dropSilent: (reason: unknown): void => drop(({ isReading }) => !isReading, reason),
    use: (): PoolUse => ({ ...source.use(), max: options.max }),
    end: (): Promise<void> => (ending ??= source.end()),
  }
}

/** The pool of reports is pg's. */
function reportSource(options: PoolOptions, sessions: Sessions, setUp: SetUp): Source {
  const pool = new Pool({
    ...configOf(options, sessions),
    max: options.max,
    min: 1,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: LIFETIME_MS / 1000,
    onConnect: (client: ClientBase) => setUp(client as DatabaseClient),
    Client: DatabaseClient,
  } as object)
  // why: the session itself has reported it
  pool.on('error', () => {})
  return {
    acquire: take => pool.connect(take as Parameters<typeof pool.connect>[0]),
    use: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    end: () => pool.end(),
  }
}

const SILENT = { warn() {}, error() {}, debug() {} }

function knexSource(options: PoolOptions, sessions: Sessions, setUp: SetUp): Source {
  /** Sessions that tarn has handed out, and that nothing uses. They go back to it each second. */
  const held: DatabaseClient[] = []
  let isEnding = false
  const { client: owner } = knex({
    client: 'pg',
    // why: knex would query it
    version: '14',
    connection: configOf(options, sessions) as object,
    log: SILENT,
    acquireConnectionTimeout: NEVER_MS,
    pool: {
      min: 1,
      max: options.max,
      idleTimeoutMillis: IDLE_MS,
      maxConnectionLifetimeMillis: LIFETIME_MS,
      createTimeoutMillis: NEVER_MS,
      // why: after a failure tarn makes the others that wait try one after the other, 200 ms apart
      createRetryIntervalMillis: 1,
      afterCreate: callbackify(async (client: DatabaseClient) => {
        client.release = isBroken => release(client, isBroken === true)
        await setUp(client)
      }),
      validate: (client: DatabaseClient) => client.isIdle(),
    },
  })
  const { pool } = owner
  owner.driver = { Client: DatabaseClient }
  // why: knex would wait until the server has closed it
  owner.destroyRawConnection = async (client: DatabaseClient) => void client.end()
  const giveBackHeld = (): void => held.splice(0).forEach(one => owner.releaseConnection(one))
  const timer = setInterval(giveBackHeld, HELD_MS).unref()

  function release(client: DatabaseClient, isBroken: boolean): void {
    if (isBroken) void client.end()
    if (isBroken || isEnding || pool.numPendingAcquires() > 0) owner.releaseConnection(client)
    else held.push(client)
  }

  return {
    acquire(take) {
      const last = held.pop()
      if (last?.isIdle()) return take(undefined, last)
      if (last !== undefined) owner.releaseConnection(last)
      owner.acquireConnection().then((client: DatabaseClient) => take(undefined, client), take)
    },
    use() {
      const idle = [...sessions].filter(one => !one.isInUse).length
      const waiting = Math.max(0, pool.numPendingAcquires() - pool.numPendingCreates())
      return { inUse: sessions.size - idle, idle, waiting }
    },
    end() {
      isEnding = true
      clearInterval(timer)
      giveBackHeld()
      return owner.destroy()
    },
  }
}
