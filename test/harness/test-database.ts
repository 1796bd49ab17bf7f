/** A separate database for a test on the shared servers, and connections to it. */
import { DatabaseClient } from '../../src/serve/database/database-client.ts'
import { sharedCluster } from './cluster.ts'

export interface TestDatabase {
  /** URL as owner of all objects. */
  readonly primaryUrl: string
  readonly replicaUrl: string
  readonly urlFor: (role: string, node: 'primary' | 'replica') => string
  /** Executes statements on the primary. Resolves when the replica has replayed them. */
  readonly change: (sql: string) => Promise<void>
}

/** @param schema statements for the new database, which replaces one of the same name */
export async function createTestDatabase(name: string, schema = ''): Promise<TestDatabase> {
  const cluster = await sharedCluster()
  await execute(cluster.primaryUrl, `drop database if exists ${name} with (force)`)
  await execute(cluster.primaryUrl, `create database ${name}`)
  const urlFor: TestDatabase['urlFor'] = (role, node) => cluster.urlFor(role, node, name)
  const primaryUrl = urlFor('postgres', 'primary')
  const change = async (sql: string): Promise<void> => {
    await execute(primaryUrl, sql)
    await cluster.replicaCaughtUp()
  }
  await change(schema)
  return { primaryUrl, replicaUrl: urlFor('postgres', 'replica'), urlFor, change }
}

/** A connection like those of the gateway, whose rows can be read as bytes. The caller ends it. */
export async function connectTo(
  connectionString: string,
  options?: string,
): Promise<DatabaseClient> {
  const client = new DatabaseClient({ connectionString, ...(options !== undefined && { options }) })
  await client.connect()
  return client
}

async function execute(connectionString: string, sql: string): Promise<void> {
  const client = await connectTo(connectionString)
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
