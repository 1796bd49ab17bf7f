/** The SQL that sets up a new connection, or asks what a pooler's sessions are set to. */
import type { PoolName } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { roleSettings, sessionCeilings, sessionSettings } from './session-settings.ts'
import type { Prepared } from './session-settings.ts'

/**
 * Sets the session, unless a pooler is between us and the server: there a session is everybody's, and
 * what it is set to is asked alone. One statement, and so one round trip.
 */
export function setUpStatement(
  pool: PoolName,
  prepared: Prepared,
  processId: number | null,
): string {
  const ours = Object.entries(sessionSettings(pool, prepared)).map(
    ([name, value]) => [name, `'${value}'`] as const,
  )
  const ceilings = Object.entries(sessionCeilings(pool)).map(
    ([name, mostMs]) => [name, lowered(name, mostMs)] as const,
  )
  const set = new Map([...ours, ...ceilings])
  const names = new Set([...set.keys(), ...Object.keys(roleSettings(pool, prepared))])
  const columns = [...names].map(name => {
    const value = set.get(name)
    const asked = `current_setting('${name}')`
    if (value === undefined) return `${asked} as "${name}"`
    return `case when direct then set_config('${name}', ${value}, false) else ${asked} end as "${name}"`
  })
  return `select in_recovery, direct, role, ${columns.join(', ')} from (
    select pg_is_in_recovery() as in_recovery, session_user::text as role,
      coalesce(pg_backend_pid() = ${processId ?? 'null'}, false) as direct
  ) as connection`
}

/** SQL of the lower of the two; 0 is none. */
function lowered(name: string, mostMs: Milliseconds): string {
  const current = `extract(epoch from current_setting('${name}')::interval) * 1000`
  return `least(nullif(${current}, 0), ${mostMs})::bigint::text`
}
