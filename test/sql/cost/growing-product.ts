/** A database of its own with the demo's forty organizations, one of which may grow. */
import type { Client } from 'pg'
import { explainStatement } from '../../../src/plans/explain.ts'
import { sharedCluster } from '../../support/cluster.ts'
import { run } from '../../support/shops.ts'
import { TABLES } from '../oracles/oracle.ts'
import type { Index } from './allowed-growth.ts'
import { connected } from '../subject.ts'

const DATABASE = 'svodka_growing'

/** Connected as its owner, with statistics and visibility maps as after a night's vacuum. */
export async function growingProduct(): Promise<Client> {
  const cluster = await sharedCluster()
  await run(cluster.primaryUrl, `drop database if exists ${DATABASE}`)
  // From another database: one that is copied has nobody in it.
  await run(
    cluster.urlFor('postgres', 'primary', 'postgres'),
    `create database ${DATABASE} template ${cluster.database}`,
  )
  const client = await connected(cluster.urlFor('postgres', 'primary', DATABASE))
  // Copies keep what the keys hold; checking them row by row would take most of the time.
  await client.query('set session_replication_role = replica')
  await client.query('create extension pageinspect')
  // All rows are sampled, so that plans do not hang on which.
  await client.query('set default_statistics_target = 1000')
  await client.query('vacuum (analyze)')
  return client
}

/** By name. */
export async function indexesOf(client: Client): Promise<ReadonlyMap<string, Index>> {
  const { rows } = await client.query<{ name: string; table: string; level: string }>(`
    select
        indexes.relname as name,
        tables.relname as table,
        (bt_metap(indexes.relname)).level
    from pg_index
    join pg_class as indexes on indexes.oid = pg_index.indexrelid
    join pg_class as tables on tables.oid = pg_index.indrelid
    where tables.relnamespace = 'public'::regnamespace`)
  return new Map(rows.map(({ name, table, level }) => [name, { table, level: Number(level) }]))
}

/** What it takes to read all rows of an organization, by table, where an index leads to them. */
export async function buffersOfOwnRows(
  client: Client,
  organizationId: string,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  await client.query('set enable_seqscan = off')
  for (const table of TABLES) {
    const text = `select * from ${table} where organization_id = $1`
    const { buffers } = await explainStatement(client, text, [organizationId], { timing: false })
    found.set(table, buffers)
  }
  await client.query('reset enable_seqscan')
  return found
}
