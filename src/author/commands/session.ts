/** A read-only session on the replica, as the gateway's are, for the time of a command. */
import type { ClientBase } from 'pg'
import type { Config } from '../../config/config.ts'
import { openSession } from '../../serve/replica/pool.ts'
import { reached } from './organization.ts'

/** @throws CommandError where the database cannot be reached; whatever `use` throws. */
export async function withSession<T>(
  { databaseUrls, replicas, connectTimeoutMs, allowPrimary }: Config,
  use: (client: ClientBase) => Promise<T>,
  name: 'reports' | 'probe' = 'reports',
): Promise<T> {
  const session = await reached(() =>
    openSession({
      name,
      connectionString: name === 'probe' ? replicas[0]!.probeUrl : databaseUrls[0]!,
      connectTimeoutMs,
      replicaOnly: !allowPrimary,
    }),
  )
  try {
    return await use(session.client)
  } finally {
    await session.close()
  }
}
