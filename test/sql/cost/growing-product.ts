/**
 * A database of its own with the demo's forty organizations, to which hundreds more are added as a product
 * grows: their ids fall among those that are there, their rows lie after them.
 */
import type { Client } from 'pg'
import { explainStatement } from '../../../src/author/plans/explain.ts'
import { sharedCluster } from '../../harness/cluster.ts'
import { run } from '../../harness/shops.ts'
import type { Index } from './allowed-growth.ts'
import { connected } from '../subject.ts'

const DATABASE = 'svodka_growing'

/** In organizations that are not the subject, one in so many operations stays: copying all would take long. */
const OPERATIONS_KEPT = 4
const OTHERS_GROWTH = 9

/** Connected as its owner, with statistics and visibility maps as after a night's vacuum. */
export async function growingProduct(subject: string): Promise<Client> {
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
  await client.query('delete from operations where organization_id <> $1 and id % $2 <> 0', [
    subject,
    OPERATIONS_KEPT,
  ])
  await client.query('vacuum full operations')
  // Writing a table anew leaves its visibility map empty.
  await client.query('vacuum (analyze)')
  return client
}

/** The number of organizations grows tenfold; new ones are copies of the small ones, as most new ones are small. */
export async function growTenfold(client: Client): Promise<void> {
  await client.query('begin')
  await client.query(`
    create temp table copies on commit drop as
    with small as (
        select id, row_number() over (order by id) - 1 as place, count(*) over () as number
        from organizations
        where tier = 'start'
    )
    select small.id as old_id, md5('copy ' || copy)::uuid as new_id
    from generate_series(1, ${OTHERS_GROWTH} * (select count(*) - 1 from organizations)) as copy
    join small on small.place = copy % small.number`)
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

/** Tables of organizations' rows, with their columns but the organization's; keys are unique over all of them. */
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

/** What it takes to read all rows of an organization, by table, where an index leads to them. */
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
