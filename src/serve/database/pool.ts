/**
 * Pools of sessions that neither crash the process nor wait forever. Each is knex's: it makes sessions, sets them up once,
 * checks them before use, and closes them when they are old or idle.
 * @see ../../decisions/0023-knex-owns-all-pools.md
 */
import { callbackify } from 'node:util'
import knex from 'knex'
import type { PoolUse } from '../../model/gauges.ts'
import type { Stop } from '../../model/stop.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { transportError } from './classify-error.ts'
import { DatabaseClient } from './database-client.ts'
import { createSetUp, type SessionOptions } from './connection.ts'

const IDLE_MS: Milliseconds = 60_000
const LIFETIME_MS: Milliseconds = 3_600_000
/** The largest delay of a timer. Connecting and waiting have limits of their own, which count time awake. */
const NEVER_MS: Milliseconds = 2 ** 31 - 1
/** why: to acquire a session from tarn costs 25 promises and two timers, so a query takes that of the one before */
const HELD_MS: Milliseconds = 10_000

const SILENT = { warn() {}, error() {}, debug() {} }

export type SessionPool = ReturnType<typeof createPool>

export function createPool({ max, ...options }: SessionOptions & { readonly max: number }) {
  const { name, connectionString, currentUrl, connectTimeoutMs } = options
  const setUp = createSetUp(options)
  /** Sessions that are not closed, also those that are being made. */
  const sessions = new Set<DatabaseClient>()
  /** Sessions that tarn has handed out, and that nothing uses. They go back to it every `HELD_MS`. */
  const held: DatabaseClient[] = []
  /** Refuses a query that waits for a session. */
  const waiting = new Set<(reason: unknown) => void>()
  let ending: Promise<void> | undefined

  const { client: owner } = knex({
    client: 'pg',
    // why: knex would query it
    version: '14',
    connection: { name, connectionString, currentUrl, connectTimeoutMs, sessions } as object,
    log: SILENT,
    acquireConnectionTimeout: NEVER_MS,
    pool: {
      min: 1,
      max,
      idleTimeoutMillis: IDLE_MS,
      maxConnectionLifetimeMillis: LIFETIME_MS,
      createTimeoutMillis: NEVER_MS,
      // why: after a failure tarn makes the others that wait try one after the other, 200 ms apart
      createRetryIntervalMillis: 1,
      afterCreate: callbackify(async (client: DatabaseClient) => {
        client.release = isBroken => release(client, isBroken === true)
        await setUp(client)
        // why: a query that it was made for may have got another session meanwhile
        client.isInUse = false
      }),
      validate: (client: DatabaseClient) => sessions.has(client) && client.isIdle(),
    },
  })
  const { pool } = owner
  owner.driver = { Client: DatabaseClient }
  // why: knex would wait until the server has closed it
  owner.destroyRawConnection = async (client: DatabaseClient) => close(client)
  const heldTimer = setInterval(giveBackHeld, HELD_MS).unref()

  function giveBackHeld(): void {
    for (const client of held.splice(0)) owner.releaseConnection(client)
  }

  function close(client: DatabaseClient): void {
    sessions.delete(client)
    void client.end()
  }

  function release(client: DatabaseClient, isBroken: boolean): void {
    if (isBroken) close(client)
    const isAwaited = ending !== undefined || pool.numPendingAcquires() > 0
    if (isBroken || isAwaited) owner.releaseConnection(client)
    else held.push(client)
  }

  function acquire(take: (error: unknown, client?: DatabaseClient) => void): void {
    const last = held.pop()
    if (last?.isIdle()) return take(undefined, last)
    if (last !== undefined) owner.releaseConnection(last)
    owner.acquireConnection().then((client: DatabaseClient) => take(undefined, client), take)
  }

  /**
   * @throws what pg or the transport reports: an unknown error is attributed to the server, not to the execution; the
   *   reason of the stop, without waiting for the connection
   */
  function connect(stop?: Stop): Promise<DatabaseClient> {
    return new Promise((resolve, reject) => {
      if (ending !== undefined) return reject(transportError(new Error('the pool has ended')))
      if (stop?.reason !== undefined) return reject(stop.reason)
      const remove = stop?.onStop(refuse)
      waiting.add(refuse)
      acquire((error, client) => {
        if (client === undefined) return refuse(transportError(error))
        client.isInUse = true
        // why: a connection that is made after the refusal is for others
        if (!waiting.delete(refuse)) return client.giveBack()
        remove?.()
        resolve(client)
      })

      function refuse(reason: unknown): void {
        waiting.delete(refuse)
        remove?.()
        reject(reason)
      }
    })
  }

  function drop(isDropped: (session: DatabaseClient) => boolean, reason?: unknown): void {
    for (const session of sessions) if (isDropped(session)) session.destroy(reason)
  }

  async function end(): Promise<void> {
    clearInterval(heldTimer)
    giveBackHeld()
    await owner.destroy()
  }

  function use(): PoolUse {
    const idle = [...sessions].filter(one => !one.isInUse).length
    const making = pool.numPendingCreates()
    const inUse = pool.numUsed() - held.length + making
    return { inUse, idle, waiting: Math.max(0, pool.numPendingAcquires() - making), max }
  }

  return {
    connect,
    /** Calls `work` with a session, then gives it back. @throws as `work` and `connect` */
    async withSession<T>(work: (client: DatabaseClient) => Promise<T>): Promise<T> {
      const client = await connect()
      try {
        return await work(client)
      } finally {
        client.giveBack()
      }
    },
    use,
    /** Counts sessions, also those that are being made. */
    count(): number {
      const { inUse, idle } = use()
      return inUse + idle
    },
    /** Closes idle sessions: the next query makes a new one. */
    dropIdle: (): void => drop(({ isInUse }) => !isInUse),
    /** Closes all sessions but those whose result arrives, and refuses what waits for one. */
    dropSilent(reason: unknown): void {
      // why: of sessions that fail in one turn, tarn tells one query, and lets the others wait for new ones
      for (const refuse of waiting) refuse(transportError(reason))
      drop(({ isReading }) => !isReading, reason)
    },
    end: (): Promise<void> => (ending ??= end()),
  }
}
