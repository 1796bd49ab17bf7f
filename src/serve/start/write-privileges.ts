/** Write privileges of the role of reports, and the SQL that revokes them. */
import type { ReadRows } from '../database/connection.ts'

/** Longest time for the check: the catalogs may be large or locked. */
const MAX_MS = 1000
const SHOWN_COUNT = 3

/**
 * Privileges of the role, of roles that it is a member of, and of `public`. Reads only the system catalogs.
 * @returns the most serious, with the SQL that revokes them; undefined if there are none
 * @throws what PostgreSQL or the transport reported
 */
export async function findWritePrivileges(read: ReadRows): Promise<string | undefined> {
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
