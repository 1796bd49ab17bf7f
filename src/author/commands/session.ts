/** Sessions of a command on its databases, configured as the gateway's. */
import type { Config } from '../../config/config.ts'
import { DefinitionErrors } from '../../definitions/findings.ts'
import { Problem } from '../../model/errors.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { DatabaseClient } from '../../serve/database/database-client.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { messageOf } from '../../command/output.ts'
import { isBug } from '../check/session.ts'
import { openSession, readOnlyRows, type QueryRows } from '../../serve/database/connection.ts'

/** Read-only, on the replica. @throws CommandError if it is unreachable; errors of `use`. */
export async function withSession<T>(
  { replicas, connectTimeoutMs, allowPrimary }: Config,
  use: (client: DatabaseClient) => Promise<T>,
  name: 'reports' | 'probe' = 'reports',
): Promise<T> {
  const urls = replicas.map(({ url, probeUrl }) => (name === 'probe' ? probeUrl : url))
  const replicaOnly = !allowPrimary
  const client = await reached(() => openFirst(urls, { name, connectTimeoutMs, replicaOnly }))
  return use(client).finally(() => void client.end())
}

/** On the first server that responds. @throws the error of the first server if none does */
async function openFirst(
  urls: readonly string[],
  options: Omit<Parameters<typeof openSession>[0], 'connectionString'>,
): Promise<DatabaseClient> {
  const failures: unknown[] = []
  for (const connectionString of urls) {
    try {
      return await openSession({ ...options, connectionString })
    } catch (error) {
      failures.push(error)
    }
  }
  throw failures[0]
}

/** Of a query over all organizations or keys. */
const QUERY_TIMEOUT_MS: Milliseconds = 60_000

/** Each query in a transaction of its own. */
export function queriesOn(client: DatabaseClient): QueryRows {
  return query => readOnlyRows(client, QUERY_TIMEOUT_MS, query)
}

const PERMISSION_DENIED = '42501'

/** A session of the keys role, which a permission error names: reports and keys have separate roles. @throws as `reached` */
export function withKeySession<T>(
  { keysDatabaseUrls, connectTimeoutMs }: Pick<Config, 'keysDatabaseUrls' | 'connectTimeoutMs'>,
  use: (query: QueryRows) => Promise<T>,
): Promise<T> {
  return reached(async () => {
    const client = await openFirst(keysDatabaseUrls, { name: 'keys', connectTimeoutMs })
    const work = use(queriesOn(client)).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== PERMISSION_DENIED) throw error
      throw new Error(
        `${messageOf(error)}. Organizations and keys are read at KEYS_DATABASE_URL, by default DATABASE_URL, as role ${client.user}: expected one that may read them.`,
        { cause: error },
      )
    })
    return work.finally(() => void client.end())
  })
}

/** @throws CommandError if the database is unavailable; DefinitionErrors and bugs unchanged. */
export async function reached<T>(query: () => Promise<T>): Promise<T> {
  try {
    return await query()
  } catch (error) {
    const isKnown = error instanceof CommandError || error instanceof DefinitionErrors
    if (isKnown || isBug(error)) throw error
    const cause = error instanceof Problem ? (error.cause ?? error) : error
    throw new CommandError(EXIT.environment, `The database cannot be queried: ${messageOf(cause)}`)
  }
}
