/** By what other names the product's tables are read: a partition by that of the whole, a table by those of its views. */
import { tableKey } from './product-tables.ts'
import type { Session } from './session.ts'

/** Names, by `tableKey` of the table that a plan scans. */
export type ReadThrough = ReadonlyMap<string, ReadonlySet<string>>

interface Row {
  readonly schema: string
  readonly name: string
  readonly other: string
}

export async function readThrough(session: Session): Promise<ReadThrough> {
  const found = new Map<string, Set<string>>()
  for (const { schema, name, other } of await session.rows<Row>(OTHER_NAMES)) {
    const key = tableKey(schema, name)
    found.set(key, (found.get(key) ?? new Set()).add(other))
  }
  return found
}

const OTHER_NAMES = `
with recursive direct as (
    select inhrelid as inner_oid, inhparent as outer_oid
    from pg_inherits
    union
    select pg_depend.refobjid, pg_rewrite.ev_class
    from pg_depend
    join pg_rewrite on pg_rewrite.oid = pg_depend.objid
    where pg_depend.classid = 'pg_rewrite'::regclass
      and pg_depend.refclassid = 'pg_class'::regclass
      and pg_depend.refobjid <> pg_rewrite.ev_class
),
through as (
    select inner_oid, outer_oid from direct
    union
    select through.inner_oid, direct.outer_oid
    from through
    join direct on direct.inner_oid = through.outer_oid
)
select
    pg_namespace.nspname as schema,
    pg_class.relname as name,
    others.relname as other
from through
join pg_class on pg_class.oid = through.inner_oid
join pg_namespace on pg_namespace.oid = pg_class.relnamespace
join pg_class as others on others.oid = through.outer_oid
where pg_class.relkind in ('r', 'p', 'm', 'f')
  and pg_namespace.nspname not in ('pg_catalog', 'information_schema')`
