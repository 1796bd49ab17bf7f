/** What does not stop executions on a replica, but is wrong or special with its role or its server. */
import type { ReadRows } from '../database/connection.ts'
import { findWritePrivileges } from './write-privileges.ts'

export interface ReplicaFaults {
  /** Write privileges of its role, with the SQL that revokes them. */
  readonly writePrivileges?: string | undefined
  /** Why texts may be sorted in another order than the indexes. */
  readonly collations?: string | undefined
}

/** @throws what `read` throws, except about collations */
export async function findReplicaFaults(read: ReadRows): Promise<ReplicaFaults> {
  const writePrivileges = await findWritePrivileges(read)
  return { writePrivileges, collations: await collationMismatch(read).catch(() => undefined) }
}

/** Of the database, and of columns and indexes. @see https://www.postgresql.org/docs/current/sql-altercollation.html */
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
async function collationMismatch(read: ReadRows): Promise<string | undefined> {
  const rows = await read({ text: MISMATCHES })
  if (rows.length === 0) return undefined
  const found = rows.map(([words]) => words).join(', ')
  return `collation versions differ, so that indexes of texts may miss rows: ${found}. Expected the operating system of the primary; if it has changed there too, reindex and refresh the collation versions`
}

/** Settings of the role and its database that sessions keep, since they are the operator's. */
const INHERITED = `
select string_agg(format('%s = %s', name, setting), ', ' order by name) from pg_settings
where source in ('database', 'user', 'database user')`

export async function readInheritedSettings(read: ReadRows): Promise<string | undefined> {
  const [[settings] = []] = await read({ text: INHERITED })
  return settings ?? undefined
}
