/** One connection with the pool's settings, for commands that ask and go. */
import type { PoolClient } from 'pg'
import { Problem } from '../../model/errors.ts'
import type { PoolName } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { createPool } from './pool.ts'
import { WritableServerError } from './writable-server.ts'

export interface OpenSession {
  readonly client: PoolClient
  readonly close: () => Promise<void>
}

/** @throws whatever pg or the transport reports; WritableServerError, RoleSettingsError. */
export async function openSession(options: {
  readonly name: PoolName
  readonly connectionString: string
  readonly connectTimeoutMs: Milliseconds
  /** Whether it has to be a server in recovery. */
  readonly replicaOnly: boolean
}): Promise<OpenSession> {
  const pool = createPool({
    ...options,
    max: 1,
    observe: () => {},
    accept: ({ inRecovery }) => {
      if (options.replicaOnly && !inRecovery) throw new WritableServerError()
    },
  })
  const client = await pool.connect().catch(async (error: unknown) => {
    await pool.end()
    throw error instanceof Problem ? error.cause : error
  })
  return {
    client,
    close: () => {
      client.release(true)
      return pool.end()
    },
  }
}
