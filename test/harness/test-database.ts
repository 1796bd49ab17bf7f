/** A separate database for a test on the shared servers, and connections to it. */
import { Pool } from 'pg'
import { DatabaseClient } from '../../src/serve/database/database-client.ts'
import { sharedCluster } from './cluster.ts'
import { until } from './until.ts'

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
  const urlFor: TestDatabase['urlFor'] = (role, node) => cluster.urlFor(role, node, name)
  const primaryUrl = urlFor('postgres', 'primary')
  await kept.get(primaryUrl)?.end()
  kept.delete(primaryUrl)
  await rowsOf(cluster.primaryUrl, `drop database if exists ${name} with (force)`)
  await rowsOf(cluster.primaryUrl, `create database ${name}`)
  const change = async (sql: string): Promise<void> => {
    await rowsOf(primaryUrl, sql)
    const [record] = await rowsOf(primaryUrl, WRITE_RECORD)
    const replayed = `select where pg_last_wal_replay_lsn() >= '${record!.lsn}'`
    await until(async () => (await rowsOf(cluster.replicaUrl, replayed)).length > 0)
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

/** Those of `change`. why: connecting takes 9 ms of the processor */
const kept = new Map<string, Pool>()
const WRITE_RECORD = "select pg_logical_emit_message(false, 'svodka', 'replayed?', true) as lsn"

async function rowsOf(connectionString: string, sql: string): Promise<Array<{ lsn: string }>> {
  let pool = kept.get(connectionString)
  if (pool === undefined) {
    pool = new Pool({ connectionString, idleTimeoutMillis: 1000, allowExitOnIdle: true })
    // why: a test may end the connections of its server
    pool.on('error', () => undefined)
    kept.set(connectionString, pool)
  }
  return (await pool.query<{ lsn: string }>(sql)).rows
}
