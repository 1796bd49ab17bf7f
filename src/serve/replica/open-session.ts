/** One connection with a pool's settings and checks, for commands that ask and go. */
import type { PoolClient } from 'pg'
import { Problem } from '../../model/errors.ts'
import { createPool } from './pool.ts'
import type { PoolOptions } from './pool.ts'

export interface OpenSession {
  readonly client: PoolClient
  readonly close: () => Promise<void>
}

/** @throws what pg or the transport reports; WritableServerError, RoleSettingsError. */
export async function openSession(
  options: Pick<PoolOptions, 'name' | 'connectionString' | 'connectTimeoutMs' | 'replicaOnly'>,
): Promise<OpenSession> {
  const pool = createPool({ ...options, max: 1, observe: () => {} })
  try {
    const client = await pool.connect()
    return {
      client,
      close() {
        client.release(true)
        return pool.end()
      },
    }
  } catch (error) {
    await pool.end()
    throw error instanceof Problem ? error.cause : error
  }
}
