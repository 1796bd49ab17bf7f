/** Checks connections out of a pool, applies time-outs, releases or destroys them. Knows pg. */
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { DatabaseError } from 'pg'
import type { ClientBase, Pool, PoolClient } from 'pg'
import type { ServerIdentity } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { transportError } from './classify-error.ts'

/** The server behind a connection. */
export interface Server {
  readonly inRecovery: boolean
  /** The backend's process id differs from that of the connection: a pooler is in between. */
  readonly isPooled: boolean
  readonly identity: ServerIdentity
  /** Lower bound of the age of the connection. */
  readonly ageMs: () => Milliseconds
}

/** The server of each connection that a pool has set up. */
export const servers = new WeakMap<ClientBase, Server>()

/** Calls `use` with a connection of the pool, then releases it, or destroys it if it is not idle. @throws as `use` and pg */
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

/** @throws what pg or the transport reports: an unknown error is attributed to the server, not to the execution */
export function connect(pool: Pool): Promise<PoolClient> {
  return pool.connect().catch((error: unknown) => {
    throw transportError(error)
  })
}

/**
 * @throws what `ask` throws; an error with the code `ETIMEDOUT` if the server does not respond in time. The
 *   connection is destroyed then.
 */
export async function within<T>(
  timeoutMs: Milliseconds,
  client: ClientBase,
  ask: () => Promise<T>,
): Promise<T> {
  let late = false
  const cancel = onTimeout(timeoutMs, () => {
    late = true
    destroyConnection(client)
  })
  try {
    return await ask()
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    if (late) throw silence(timeoutMs, error)
    throw socketOf(client).destroyed ? transportError(error) : error
  } finally {
    cancel()
  }
}

/** As `within`, but the connection stays open and the work continues. @throws what `work` rejects with; `ETIMEDOUT` */
export async function raceTimeout<T>(timeoutMs: Milliseconds, work: Promise<T>): Promise<T> {
  if (timeoutMs === Number.POSITIVE_INFINITY) return work
  let cancel: (() => void) | undefined
  const late = new Promise<never>((_resolve, reject) => {
    cancel = onTimeout(timeoutMs, () => reject(silence(timeoutMs)))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    cancel?.()
  }
}

/**
 * Calls back after `timeoutMs`, once the sockets have been read.
 * why: after a stall of this process timers fire first, but a response that has arrived is not late
 * @returns a function that cancels it
 */
function onTimeout(timeoutMs: Milliseconds, callback: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined
  const timer = setTimeout(() => (immediate = setImmediate(callback)), timeoutMs)
  return () => {
    clearTimeout(timer)
    clearImmediate(immediate)
  }
}

function silence(timeoutMs: Milliseconds, cause?: unknown): Error {
  const error = new Error(`no response within ${timeoutMs} ms`, { cause })
  return transportError(Object.assign(error, { code: 'ETIMEDOUT' }))
}

const ROLLBACK_MS: Milliseconds = 1000

/** Idle, outside a transaction, and connected. */
export function isIdle(client: ClientBase): boolean {
  const { readyForQuery } = client as unknown as { readonly readyForQuery: boolean | null }
  return (
    readyForQuery === true && !socketOf(client).destroyed && client.getTransactionStatus() === 'I'
  )
}

/** pg's types omit it. */
export function socketOf(client: ClientBase): Socket | TLSSocket {
  return (client as unknown as { readonly connection: { readonly stream: Socket } }).connection
    .stream
}

/** Ends a failed transaction. The connection is idle afterwards, or destroyed. Never fails. */
export async function rollBack(client: ClientBase): Promise<void> {
  if (isIdle(client)) return
  try {
    await within(ROLLBACK_MS, client, () => client.query('rollback'))
  } catch {
    destroyConnection(client)
  }
}

/** Closes the socket at once; pending queries fail with a transport error. */
export function destroyConnection(client: ClientBase): void {
  socketOf(client).destroy()
}
