/** Write privileges of the role of reports, and the SQL that revokes them. */
import type { ReadRows } from '../database/row-query.ts'

/** Longest time for the check: the catalogs may be large or locked. */
const MAX_MS = 1000
const SHOWN_COUNT = 3

/**
 * Privileges of the role, of roles that it is a member of, and of `public`. Reads only the system catalogs. For a
 * superuser no other privileges are listed.
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
with me as materialized (
  select oid, rolname, rolsuper from pg_roles where rolname = session_user
),
roles as materialized (
  select role.oid, role.rolname, role.rolsuper, role.oid = me.oid as is_me
  from pg_roles as role, me
  where role.oid = me.oid or (not me.rolsuper and pg_has_role(me.oid, role.oid, 'member'))
),
grantees as materialized (
  select oid, quote_ident(rolname) as name from roles union all select 0, 'public'
),
schemas as materialized (
  select oid, nspname, nspacl from pg_namespace
  where nspname not in ('pg_catalog', 'information_schema') and nspname !~ '^pg_(toast|temp)'
    and exists (select from roles where has_schema_privilege(roles.oid, pg_namespace.oid, 'usage'))
),
tables as materialized (
  select class.oid, relacl, relowner, format('%I.%I', nspname, relname) as name
  from pg_class as class join schemas on schemas.oid = relnamespace
  where relkind in ('r', 'p', 'v', 'm', 'f')
),
objects (rank, object, attname, acl, owner) as (
  select 3, tables.name, null::name, relacl, relowner from tables
  union all
  select 4, tables.name, attname, attacl, relowner
  from pg_attribute join tables on tables.oid = attrelid where attacl is not null
  union all
  select 5, format('schema %I', nspname), null, nspacl, null from schemas
  union all
  select 6, format('database %I', datname), null, datacl, null
  from pg_database where datname = current_database()
),
grants (rank, granted, object, grantee) as (
  select rank, string_agg(
      lower(privilege_type) || coalesce(' (' || quote_ident(attname) || ')', ''), ', ' order by privilege_type
    ), object, grantees.name
  from objects
  cross join lateral aclexplode(acl) as granted
  join grantees on grantees.oid = granted.grantee
  where privilege_type in ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'CREATE')
    and granted.grantee is distinct from owner
  group by rank, object, attname, grantees.name
),
found (rank, found, remedy) as (
  select 1,
    case when is_me then 'it is a superuser' else format('it is a member of %I, a superuser', roles.rolname) end,
    case when is_me then format('alter role %I nosuperuser;', roles.rolname)
      else format('revoke %I from %I;', roles.rolname, me.rolname) end
  from roles, me where roles.rolsuper
  union all
  select 1, 'it is a member of pg_write_all_data', format('revoke pg_write_all_data from %I;', me.rolname)
  from roles, me where roles.rolname = 'pg_write_all_data'
  union all
  select 2, format('%I owns %s', rolname, tables.name),
    format('alter table %s owner to another_role;', tables.name)
  from tables join roles on roles.oid = relowner
  union all
  select rank, format('%s has %s on %s', grantee, granted, object),
    format('revoke %s on %s from %s;', granted, object, grantee)
  from grants
)
select found, remedy from found
where rank = 1 or not exists (select from found as graver where graver.rank = 1)
order by rank, found`
