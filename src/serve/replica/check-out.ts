/** What comes before a run on its connection, for whoever may leave meanwhile. Knows pg. */
import type { ClientBase, Pool, PoolClient } from 'pg'
import { unreached } from './classify-error.ts'
import { destroyConnection } from './pool.ts'
import type { ReconnectLimit } from './reconnect-limit.ts'

/**
 * A connection of the pool. One that comes after the signal has aborted goes back to the pool.
 * @throws the signal's reason as soon as it aborts; whatever pg or the transport reports.
 */
export async function checkOut(
  pool: Pool,
  signal: AbortSignal,
  limit?: ReconnectLimit,
): Promise<PoolClient> {
  const isNew = (): boolean => pool.idleCount === 0 && pool.totalCount < pool.options.max
  await limit?.admit(signal, isNew)
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const left = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', left, { once: true })
    pool
      .connect()
      .then(
        client => (signal.aborted ? client.release() : resolve(client)),
        (error: unknown) => reject(unreached(error)),
      )
      .finally(() => signal.removeEventListener('abort', left))
  })
}

/**
 * What a connection is asked of our own accord. If the signal aborts meanwhile, the connection is destroyed.
 * @throws what `ask` throws; the signal's reason.
 */
export async function unlessLeft<T>(
  client: ClientBase,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<T> {
  const left = (): void => destroyConnection(client)
  signal.addEventListener('abort', left, { once: true })
  try {
    const answer = await ask()
    signal.throwIfAborted()
    return answer
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', left)
  }
}

/** @throws what `awaited` rejects with; the signal's reason as soon as it aborts. */
export function unlessAborted<T>(awaited: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const aborted = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', aborted, { once: true })
    awaited.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted))
  })
}
