/** What does not stop executions on a replica, but is wrong or special with its role or its server. */
import type { QueryRows } from '../database/connection.ts'

export interface ReplicaFaults {
  /** Write privileges of its role, with the SQL that revokes them. */
  readonly writePrivileges?: string | undefined
  /** Why texts may be sorted in another order than the indexes. */
  readonly collations?: string | undefined
}

/** @throws what `read` throws, except about collations */
export async function findReplicaFaults(read: QueryRows): Promise<ReplicaFaults> {
  const writePrivileges = await findWritePrivileges(read)
  return { writePrivileges, collations: await collationMismatch(read).catch(() => undefined) }
}

/** Versions of the database's collation, and of those of columns and indexes. @see https://www.postgresql.org/docs/current/sql-altercollation.html */
const MISMATCHES = `
select format('database %I has %s, the server %s', datname, datcollversion, actual)
from pg_database, pg_database_collation_actual_version(oid) as actual
where datname = current_database() and datcollversion is distinct from actual
union all
select format('collation %I has %s, the server %s', collname, collversion, actual)
from pg_collation, pg_collation_actual_version(oid) as actual
where oid in (select attcollation from pg_attribute where attcollation not in (0, 100))
  and collversion is distinct from actual
limit 4`

/** Collations whose version of the operating system differs from that of the indexes, which are sorted by it. */
async function collationMismatch(read: QueryRows): Promise<string | undefined> {
  const rows = await read({ text: MISMATCHES })
  if (rows.length === 0) return undefined
  const found = rows.map(([words]) => words).join(', ')
  return `collation versions differ, so that indexes of texts may miss rows: ${found}. Expected the operating system of the primary; if it has changed there too, reindex and refresh the collation versions`
}

/** Settings of the role and its database that sessions keep, since they are the operator's. */
const INHERITED = `
select string_agg(format('%s = %s', name, setting), ', ' order by name) from pg_settings
where source in ('database', 'user', 'database user')`

export async function readInheritedSettings(read: QueryRows): Promise<string | undefined> {
  const [[settings] = []] = await read({ text: INHERITED })
  return settings ?? undefined
}

/** Longest time for the check: the catalogs may be large or locked. */
const MAX_MS = 1000
const SHOWN_COUNT = 3

/**
 * Privileges of the role, of roles that it is a member of, and of `public`. Reads only the system catalogs.
 * @returns the most serious, with the SQL that revokes them; undefined if there are none
 * @throws what PostgreSQL or the transport reported
 */
export async function findWritePrivileges(read: QueryRows): Promise<string | undefined> {
  const found = await read({ text: FOUND, before: [`set local statement_timeout = ${MAX_MS}`] })
  if (found.length === 0) return undefined
  const shown = found.slice(0, SHOWN_COUNT)
  const more = found.length > SHOWN_COUNT ? `, and ${found.length - SHOWN_COUNT} more` : ''
  const privileges = shown.map(([privilege]) => privilege).join(', ')
  const sql = shown.map(([, remedySql]) => remedySql).join(' ')
  return `the role of reports can write (${privileges}${more}). Execute on the primary: ${sql}`
}

/** @see https://www.postgresql.org/docs/current/ddl-priv.html */
const FOUND = `
with me as materialized (select oid, rolname, rolsuper from pg_roles where rolname = session_user),
roles (oid, name, is_superuser) as materialized (
  select role.oid, quote_ident(role.rolname), role.rolsuper from pg_roles as role, me
  where role.oid = me.oid or (not me.rolsuper and pg_has_role(me.oid, role.oid, 'member'))
  union all select 0, 'public', false
),
schemas as materialized (
  select oid, nspname, nspacl from pg_namespace
  where nspname !~ '^(pg_|information_schema$)'
    and exists (select from roles where oid <> 0 and has_schema_privilege(oid, pg_namespace.oid, 'usage'))
),
tables as materialized (
  select class.oid, relacl, relowner, format('%I.%I', nspname, relname) as name
  from pg_class as class join schemas on schemas.oid = relnamespace
  where relkind in ('r', 'p', 'v', 'm', 'f')
),
objects (object, of_column, acl, owner) as (
  select name, '', relacl, relowner from tables
  union all select name, format(' (%I)', attname), attacl, relowner
  from pg_attribute join tables on tables.oid = attrelid
  union all select format('schema %I', nspname), '', nspacl, null from schemas
  union all select format('database %I', datname), '', datacl, null
  from pg_database where datname = current_database()
),
grants (grantee, granted, object) as (
  select roles.name, string_agg(lower(privilege_type) || of_column, ', ' order by privilege_type), object
  from objects cross join aclexplode(acl) as item join roles on roles.oid = item.grantee
  where privilege_type in ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'CREATE')
    and item.grantee is distinct from owner
  group by roles.name, object, of_column
)
select found, remedy from (
  select 1, 'it is a superuser', format('alter role %I nosuperuser;', rolname) from me where rolsuper
  union all
  select 1, format('it is a member of %s', name), format('revoke %s from %I;', name, rolname)
  from roles, me where roles.oid <> me.oid and (is_superuser or name = 'pg_write_all_data')
  union all
  select 2, format('%s owns %s', roles.name, tables.name),
    format('alter table %s owner to another_role;', tables.name)
  from tables join roles on roles.oid = relowner
  union all
  select 3, format('%s has %s on %s', grantee, granted, object),
    format('revoke %s on %s from %s;', granted, object, grantee) from grants
) as all_found (rank, found, remedy)
order by rank, found`
