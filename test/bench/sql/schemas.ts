// Schemas beside the product's, with copies of its rows in their order on disk. Knows tables and indexes, and no reports.
import type { Client } from 'pg'

const ROLE = 'svodka_reports'

/** The same rows and primary keys, and no index but one on the organization. */
export async function makeNaiveSchema(client: Client, schema: string): Promise<void> {
  await fill(client, schema, async table => {
    await client.query(`create table ${schema}.${table} as table public.${table}`)
    const key = await primaryKeyOf(client, table)
    await client.query(`alter table ${schema}.${table} add ${key}`)
    await client.query(`create index on ${schema}.${table} (organization_id)`)
  })
}

/** The same tables and indexes, where organizations but the one have a tenth of their rows. */
export async function makeSmallerSchema(
  client: Client,
  schema: string,
  subject: string,
): Promise<void> {
  await fill(client, schema, async table => {
    await client.query(
      `create table ${schema}.${table} as
       select * from public.${table}
       where organization_id = '${subject}' or hashint8extended(id, 0) % 10 = 0`,
    )
    for (const definition of await indexesOf(client, table)) {
      await client.query(definition.replace(' ON public.', ` ON ${schema}.`))
    }
  })
}

async function fill(
  client: Client,
  schema: string,
  make: (table: string) => Promise<void>,
): Promise<void> {
  // why: data that are kept may have it from a run that was cut off
  await client.query(`drop schema if exists ${schema} cascade`)
  await client.query(`create schema ${schema}`)
  // why: a scan that begins in the middle of a table would put its end before its beginning
  await client.query('set synchronize_seqscans = off')
  // why: of a commit that is not on disk yet, vacuum takes no row for visible to all
  await client.query('set synchronous_commit = on')
  await client.query(`set maintenance_work_mem = '512MB'`)
  for (const table of await tablesOf(client)) {
    await make(table)
    // With statistics and visibility maps as after a night's vacuum.
    await client.query(`vacuum (analyze) ${schema}.${table}`)
  }
  await client.query(`grant usage on schema ${schema} to ${ROLE}`)
  await client.query(`grant select on all tables in schema ${schema} to ${ROLE}`)
}

/** As they were built for the product: after its rows, so that their pages are as full. */
async function indexesOf(client: Client, table: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ definition: string }>(
    `select indexdef as definition from pg_indexes where schemaname = 'public' and tablename = $1`,
    [table],
  )
  return rows.map(({ definition }) => definition)
}

/** `PRIMARY KEY (organization_id, id)`. @throws Error if it has none. */
async function primaryKeyOf(client: Client, table: string): Promise<string> {
  const { rows } = await client.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = ('public.' || $1)::regclass and contype = 'p'`,
    [table],
  )
  const [key] = rows
  if (key === undefined) throw new Error(`the product's table ${table} has no primary key`)
  return key.definition
}

/** What reports may read: rows of organizations. */
async function tablesOf(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name
     from information_schema.table_privileges
     where grantee = '${ROLE}' and table_schema = 'public' and privilege_type = 'SELECT'
     order by 1`,
  )
  return rows.map(({ name }) => name)
}
