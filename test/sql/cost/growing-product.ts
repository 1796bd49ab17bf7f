/**
 * A separate database with the demo's forty organizations, to which hundreds more are added as in a growing product:
 * their ids are interleaved with existing ones, their rows come later in the tables.
 */
import type { Client } from 'pg'
import { explainStatement } from '../../../src/author/plans/explain.ts'
import { sharedCluster } from '../../harness/cluster.ts'
import { run } from '../../harness/shops.ts'
import type { Index } from './allowed-growth.ts'
import { connected } from '../subject.ts'

const DATABASE = 'svodka_growing'

/** In organizations that are not measured, only one in this many operations is copied: copying all takes too long. */
const OPERATIONS_KEPT = 4
const OTHERS_GROWTH = 9

/** Connected as the owner, with statistics and visibility maps as after vacuum. */
export async function growingProduct(subject: string): Promise<Client> {
  const cluster = await sharedCluster()
  await run(cluster.primaryUrl, `drop database if exists ${DATABASE}`)
  // From another database: a template must have no connections.
  await run(
    cluster.urlFor('postgres', 'primary', 'postgres'),
    `create database ${DATABASE} template ${cluster.database}`,
  )
  const client = await connected(cluster.urlFor('postgres', 'primary', DATABASE))
  // Copies satisfy foreign keys; checking them row by row would take most of the time.
  await client.query('set session_replication_role = replica')
  await client.query('create extension pageinspect')
  // All rows are sampled, so that plans do not depend on the sample.
  await client.query('set default_statistics_target = 1000')
  await client.query('delete from operations where organization_id <> $1 and id % $2 <> 0', [
    subject,
    OPERATIONS_KEPT,
  ])
  await client.query('vacuum full operations')
  // Rewriting a table clears its visibility map.
  await client.query('vacuum (analyze)')
  return client
}

/** Makes ten times as many organizations; new ones are copies of small ones, as most new customers are small. */
export async function growTenfold(client: Client): Promise<void> {
  await client.query('begin')
  await client.query(`
    create temp table copies on commit drop as
    with small as (
        select id, row_number() over (order by id) - 1 as position, count(*) over () as number
        from organizations
        where tier = 'start'
    )
    select small.id as old_id, md5('copy ' || copy)::uuid as new_id
    from generate_series(1, ${OTHERS_GROWTH} * (select count(*) - 1 from organizations)) as copy
    join small on small.position = copy % small.number`)
  await client.query(`
    insert into organizations (id, name, tier, time_zone)
    select copies.new_id, organizations.name, organizations.tier, organizations.time_zone
    from organizations
    join copies on copies.old_id = organizations.id`)
  for (const [table, columns] of await tablesOf(client)) {
    await client.query(`
      insert into ${table} (organization_id, ${columns})
      select copies.new_id, ${columns}
      from ${table}
      join copies on copies.old_id = ${table}.organization_id`)
  }
  await client.query('commit')
  await client.query('vacuum (analyze)')
}

/** Tables of organizations' rows, with their columns except the organization's. Keys are unique in each whole table. */
async function tablesOf(client: Client): Promise<[string, string][]> {
  const { rows } = await client.query<{ table: string; columns: string }>(`
    select columns.table_name as table, string_agg(quote_ident(columns.column_name), ', ')
            filter (where columns.column_name <> 'organization_id') as columns
    from information_schema.columns
    where columns.table_schema = 'public'
      and columns.table_name <> 'api_keys'
    group by columns.table_name
    having bool_or(columns.column_name = 'organization_id')`)
  return rows.map(({ table, columns }) => [table, columns])
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

/** Buffers to read all rows of an organization by index, by table. */
export async function buffersOfOwnRows(
  client: Client,
  organizationId: string,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  await client.query('set enable_seqscan = off')
  for (const [table] of await tablesOf(client)) {
    const text = `select * from ${table} where organization_id = $1`
    const { buffers } = await explainStatement(client, text, [organizationId], { timing: false })
    found.set(table, buffers)
  }
  await client.query('reset enable_seqscan')
  return found
}
