/**
 * Checks the role and the server of each replica once a minute: for what does not stop executions, but is wrong. Never in
 * a request.
 */
import { ofReplica } from '../../model/observation.ts'
import type { Observe } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { Replicas } from '../database/replicas.ts'
import type { ReadRows } from '../database/row-query.ts'
import { describePrivileges, findWritePrivileges } from './write-privileges.ts'

const EVERY_MS: Milliseconds = 60_000

interface Found {
  /** Write privileges of its role, with the SQL that revokes them; undefined if none is known. */
  readonly writePrivileges: string | undefined
  /** Why texts may be sorted in another order than the indexes. */
  readonly collations: string | undefined
}

const NOTHING: Found = { writePrivileges: undefined, collations: undefined }

type CheckedReplica = Replicas['all'][number]

export function createReplicaChecks(options: {
  readonly replicas: Pick<Replicas, 'all' | 'lendOf'>
  readonly observe: Observe
}) {
  const { all, lendOf } = options.replicas
  const found = new Map<string, Found>()
  let timer: NodeJS.Timeout | undefined

  async function check(replica: CheckedReplica): Promise<void> {
    const { name } = replica
    if (replica.slots() === 0) return
    const last = found.get(name) ?? NOTHING
    try {
      const writePrivileges = describePrivileges(await lendOf(replica, findWritePrivileges))
      found.set(name, { ...last, writePrivileges })
      if (writePrivileges !== last.writePrivileges)
        ofReplica(options.observe, name)({ kind: 'write-privileges', found: writePrivileges })
      found.set(name, { writePrivileges, collations: await lendOf(replica, collationMismatch) })
    } catch {
      // why: a role without access to the system catalogs can still execute reports
    }
  }

  async function checkAll(): Promise<void> {
    clearTimeout(timer)
    await Promise.all(all.map(check))
    timer = setTimeout(() => void checkAll(), EVERY_MS).unref()
  }

  return {
    /** Checks now, and then once a minute. Never rejects. */
    now: checkAll,
    of: (replica: string): Found => found.get(replica) ?? NOTHING,
    stop: () => clearTimeout(timer),
  }
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
