/** Lends sessions of a pool, and limits the time of what is done on them. Knows pg. */
import { DatabaseError, type ClientBase } from 'pg'
import type { Stop } from '../../model/stop.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { transportError } from './classify-error.ts'
import type { ClientPool } from './pool.ts'
import type { DatabaseClient } from './database-client.ts'
import { startTimeout } from './timeout.ts'

/** Calls `use` with a session of the pool, then gives it back. @throws as `use` and `connect` */
export async function withConnection<T>(
  pool: ClientPool,
  use: (client: DatabaseClient) => Promise<T>,
): Promise<T> {
  const client = await connect(pool)
  try {
    return await use(client)
  } finally {
    client.giveBack()
  }
}

/**
 * @throws what pg or the transport reports: an unknown error is attributed to the server, not to the execution; the reason
 *   of the stop, without waiting for the connection
 */
export function connect(pool: ClientPool, stop?: Stop): Promise<DatabaseClient> {
  return new Promise((resolve, reject) => {
    const remove = stop?.onStop(reject)
    if (stop?.reason !== undefined) return
    // why: a promise of pg-pool costs a stack trace
    pool.connect((error, client) => {
      remove?.()
      if (client === undefined) reject(transportError(error))
      // why: a connection that is made after the stop is for others
      else if (stop?.reason !== undefined) client.release()
      else resolve(client as ClientBase as DatabaseClient)
    })
  })
}

/**
 * @param client is destroyed if it does not respond in time; without it the work continues
 * @throws what `work` rejects with; an error with the code `ETIMEDOUT`
 */
export async function within<T>(
  timeoutMs: Milliseconds,
  work: Promise<T>,
  client?: DatabaseClient,
): Promise<T> {
  let timeout: ReturnType<typeof startTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timeout = startTimeout(timeoutMs, error => {
      client?.destroy()
      reject(transportError(error))
    })
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    const isLost = client?.socket.destroyed === true && !(error instanceof DatabaseError)
    throw isLost ? transportError(error) : error
  } finally {
    timeout!.stop()
  }
}

const ROLLBACK_MS: Milliseconds = 1000

/** Ends a failed transaction. The session is idle afterwards, or destroyed. Never fails. */
export async function rollBack(client: DatabaseClient): Promise<void> {
  if (client.isIdle()) return
  try {
    await within(ROLLBACK_MS, client.query('rollback'), client)
  } catch {
    client.destroy()
  }
}
