/** One connection of a pool: taken, asked within a time, left idle or destroyed. Knows pg. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import type { ClientBase, Pool, PoolClient } from 'pg'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { unlessAborted } from '../../model/unless-aborted.ts'
import { unreached } from './classify-error.ts'

/** What answers on a connection. */
export interface Server {
  readonly inRecovery: boolean
  /** Another process answers than the one that was connected to: between us is a pooler. */
  readonly isPooled: boolean
  /** How long the connection has been there, at least. */
  readonly ageMs: () => Milliseconds
}

/** Of each connection that a pool has set up. */
export const servers = new WeakMap<ClientBase, Server>()

/**
 * A connection of the pool. One that comes after the signal has aborted goes back to the pool.
 * @throws the signal's reason as soon as it aborts; whatever pg or the transport reports.
 */
export async function checkOut(
  pool: Pool,
  signal: AbortSignal,
  limit: ReconnectLimit,
): Promise<PoolClient> {
  await limit.admit(signal, () => pool.idleCount === 0 && pool.totalCount < pool.options.max)
  signal.throwIfAborted()
  const connecting = connect(pool)
  try {
    return await unlessAborted(connecting, signal)
  } catch (error) {
    connecting.then(
      client => client.release(),
      () => undefined,
    )
    throw error
  }
}

/** Limits the new sessions that replace those which cancelled executions have cost. */
interface ReconnectLimit {
  /** An execution was cancelled, and its session had to be destroyed. */
  destroyed(): void
  /**
   * Resolves when a session may be made: at once, unless it replaces a destroyed one.
   * @param isNeeded whether a session still has to be made
   * @throws the signal's reason
   */
  admit(signal: AbortSignal, isNeeded: () => boolean): Promise<void>
}

/** Two new sessions a second, as after an outage. */
const EVERY_MS: Milliseconds = 500
/** A session that was not replaced for so long is not missed. */
const FORGET_MS: Milliseconds = 10_000

export function createReconnectLimit(now: Clock = () => performance.now()): ReconnectLimit {
  let missing = 0
  let destroyedAt = Number.NEGATIVE_INFINITY
  let nextAt = Number.NEGATIVE_INFINITY

  const isLimited = (): boolean => missing > 0 && now() - destroyedAt < FORGET_MS

  return {
    destroyed() {
      if (!isLimited()) missing = 0
      missing += 1
      destroyedAt = now()
    },
    async admit(signal, isNeeded) {
      while (isNeeded() && isLimited() && now() < nextAt) {
        await sleep(nextAt - now(), undefined, { signal }).catch(() => signal.throwIfAborted())
      }
      if (!isNeeded() || !isLimited()) return
      missing -= 1
      nextAt = now() + EVERY_MS
    },
  }
}

/** Gives `use` a connection of the pool, which goes back if it is idle then. @throws what `use` throws; as pg, if there is none */
export async function withConnection<T>(
  pool: Pool,
  use: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connect(pool)
  try {
    return await use(client)
  } finally {
    client.release(!isIdle(client))
  }
}

function connect(pool: Pool): Promise<PoolClient> {
  return pool.connect().catch((error: unknown) => {
    throw unreached(error)
  })
}

/**
 * @throws what `ask` throws; an error with the code `ETIMEDOUT` if the server does not answer in time: the
 *   connection is gone then.
 */
export async function within<T>(
  timeoutMs: Milliseconds,
  client: ClientBase,
  ask: () => Promise<T>,
): Promise<T> {
  let late = false
  const timer = setTimeout(() => {
    late = true
    destroyConnection(client)
  }, timeoutMs)
  try {
    return await ask()
  } catch (error) {
    if (!late || error instanceof DatabaseError) throw error
    throw silence(timeoutMs, error)
  } finally {
    clearTimeout(timer)
  }
}

/** @throws what it rejects with; as `within`, but the work goes on */
export async function raceTimeout<T>(timeoutMs: Milliseconds, work: Promise<T>): Promise<T> {
  if (timeoutMs === Number.POSITIVE_INFINITY) return work
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(silence(timeoutMs)), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function silence(timeoutMs: Milliseconds, cause?: unknown): Error {
  const error = new Error(`no answer within ${timeoutMs} ms`, { cause })
  return Object.assign(error, { code: 'ETIMEDOUT' })
}

const ROLLBACK_MS: Milliseconds = 1000

/** Idle, in no transaction, and not lost. */
export function isIdle(client: ClientBase): boolean {
  const { readyForQuery, connection } = client as unknown as {
    readonly readyForQuery: boolean | null
    readonly connection: { readonly stream: { readonly destroyed: boolean } }
  }
  return (
    readyForQuery === true && !connection.stream.destroyed && client.getTransactionStatus() === 'I'
  )
}

/** After an error in a transaction: the connection is idle then, or destroyed. Never fails. */
export async function rollBack(client: ClientBase): Promise<void> {
  if (isIdle(client)) return
  try {
    await within(ROLLBACK_MS, client, () => client.query('rollback'))
  } catch {
    destroyConnection(client)
  }
}

/** Closes the socket at once; whatever waits on it fails with a transport error. */
export function destroyConnection(client: ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}
