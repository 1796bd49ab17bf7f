/** Collations whose version of the operating system differs from that of the indexes, which are sorted by it. */
import { DatabaseError } from 'pg'
import type { ClientBase } from 'pg'
import type { Milliseconds } from '../../model/terms.ts'
import { readOnlyRows } from './row-query.ts'

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

/** With what to do; undefined without a mismatch. @throws what the transport reports */
export async function collationMismatch(
  client: ClientBase,
  timeoutMs: Milliseconds,
): Promise<string | undefined> {
  try {
    const rows = await readOnlyRows(client, timeoutMs, { text: MISMATCHES })
    if (rows.length === 0) return undefined
    const found = rows.map(([words]) => words).join(', ')
    return `collation versions differ, so that indexes of texts may miss rows: ${found}. Expected the operating system of the primary; if it has changed there too, reindex and refresh the collation versions`
  } catch (error) {
    // why: lag and recovery can be probed without it
    if (!(error instanceof DatabaseError)) throw error
    return undefined
  }
}
