// A second schema with copies of the product's rows in their order on disk. Knows tables and indexes, not reports.
import type { Client } from 'pg'

/** Its tables have the same rows and primary keys, and one other index, on the organization. */
export async function makeNaiveSchema(client: Client, schema: string): Promise<void> {
  // why: reused data may still have it from an interrupted run
  await client.query(`drop schema if exists ${schema} cascade; create schema ${schema}`)
  // why: a synchronized scan may start in the middle of a table, so that the copy has another order
  await client.query('set synchronize_seqscans = off')
  // why: vacuum does not mark rows all-visible while their commit is not on disk
  await client.query('set synchronous_commit = on')
  await client.query(`set maintenance_work_mem = '512MB'`)
  // The tables that reports may read.
  const { rows } = await client.query<{ table: string; key: string }>(
    `select table_name as table, pg_get_constraintdef(pg_constraint.oid) as key
     from information_schema.table_privileges
     join pg_constraint on conrelid = ('public.' || table_name)::regclass and contype = 'p'
     where grantee = 'svodka_reports' and table_schema = 'public' and privilege_type = 'SELECT'
     order by 1`,
  )
  for (const { table, key } of rows) {
    await client.query(`
      create table ${schema}.${table} as table public.${table};
      alter table ${schema}.${table} add ${key};
      create index on ${schema}.${table} (organization_id)`)
    // With statistics and visibility maps as after a night's vacuum.
    await client.query(`vacuum (analyze) ${schema}.${table}`)
  }
  await client.query(`
    grant usage on schema ${schema} to svodka_reports;
    grant select on all tables in schema ${schema} to svodka_reports`)
}
