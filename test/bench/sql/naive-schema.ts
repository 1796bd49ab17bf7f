// A second schema with copies of the product's rows in their order on disk. Knows tables and indexes, not reports.
import type { Client } from 'pg'

/** The same rows and primary keys, and no index but one on the organization. */
export async function makeNaiveSchema(client: Client, schema: string): Promise<void> {
  // why: data that are reused may have it from a run that was cut off
  await client.query(`drop schema if exists ${schema} cascade; create schema ${schema}`)
  // why: a scan that begins in the middle of a table would put its end before its beginning
  await client.query('set synchronize_seqscans = off')
  // why: of a commit that is not on disk yet, vacuum takes no row for visible to all
  await client.query('set synchronous_commit = on')
  await client.query(`set maintenance_work_mem = '512MB'`)
  // What reports may read: rows of organizations.
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
