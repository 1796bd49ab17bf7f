/**
 * What sessions are set to, and the SQL that does it. Behind a pooler a session is shared, so that nothing is set in
 * it: there roles must carry the settings, and what a role lacks is found and mended. Knows no pg.
 */
import { Problem } from '../../model/errors.ts'
import type { Lacking, PoolName } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'

export type Settings = Readonly<Record<string, string>>

/** Whether statements are prepared by name: where connections keep them, or nowhere. */
export type Prepared = 'auto' | 'off'

const GUARDS: Settings = {
  default_transaction_read_only: 'on',
  // why: a client that is gone frees its backend within half a second, not at the statement's end
  client_connection_check_interval: '500ms',
  lock_timeout: '1s',
  idle_in_transaction_session_timeout: '5s',
}

/** What the text of a value depends on. */
const PRINTING: Settings = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'iso_8601',
  bytea_output: 'hex',
}

// measured: JIT makes a 6 ms report take 53 ms
const NO_JIT: Settings = { jit: 'off' }

// measured: one plan for organizations of all sizes makes product_sales of a large one take 5 s, not 0.2
const OWN_PLANS: Settings = { plan_cache_mode: 'force_custom_plan' }

// measured: trying all orders of seven tables takes 4 ms of operations, of four at a time 1.5, and finds no better one
const FEW_ORDERS: Settings = { join_collapse_limit: '4', from_collapse_limit: '4' }

/** What a report's result and its plan depend on. */
export const STATEMENT_SETTINGS: Settings = { ...PRINTING, ...NO_JIT, ...OWN_PLANS, ...FEW_ORDERS }

/** Of every connection that executes reports. */
export const SESSION_SETTINGS: Settings = { ...GUARDS, ...STATEMENT_SETTINGS }

/** What a session is set to if it is ours alone. */
function sessionSettings(pool: PoolName, prepared: Prepared): Settings {
  // why: the look-up of keys is the same for everybody, and its plan is kept
  if (pool !== 'reports') return { ...GUARDS, ...PRINTING, ...NO_JIT }
  // why: what is planned for this once is planned for its values, whatever the mode
  if (prepared === 'off') return { ...GUARDS, ...PRINTING, ...NO_JIT, ...FEW_ORDERS }
  return SESSION_SETTINGS
}

/** Longer than a session's: a role's are for whatever else it is used by, too. */
const LIMITS_OF_REPORTS: Settings = {
  statement_timeout: '60s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '10s',
}

const LIMITS_OF_LOOK_UPS: Settings = {
  statement_timeout: '2s',
  lock_timeout: '1s',
  idle_in_transaction_session_timeout: '5s',
}

/** What the role of a pool must carry behind a pooler: `sql/product/roles.sql` has them. */
export function roleSettings(pool: PoolName, prepared: Prepared): Settings {
  if (pool === 'reports') return { ...sessionSettings(pool, prepared), ...LIMITS_OF_REPORTS }
  // why: the probe reads numbers and booleans, which are printed in one way only
  const rest = pool === 'probe' ? { ...GUARDS, ...NO_JIT } : sessionSettings(pool, prepared)
  return { ...rest, ...LIMITS_OF_LOOK_UPS }
}

/** Longer than any definition may take, and than its rows take to a reader in a file. */
const LONGEST_STATEMENT_MS: Milliseconds = 120_000

/** SQL of that limit, or of the session's own if it is lower; 0 is none. */
const STATEMENT_TIMEOUT = `least(
  nullif(extract(epoch from current_setting('statement_timeout')::interval) * 1000, 0), ${LONGEST_STATEMENT_MS}
)::bigint::text`

/**
 * Sets a new session, unless a pooler is between us and the server, and asks what it is set to. One statement, and
 * so one round trip.
 */
export function setUpStatement(
  pool: PoolName,
  prepared: Prepared,
  processId: number | null,
): string {
  const settings = Object.entries(sessionSettings(pool, prepared))
  const values = new Map(settings.map(([name, value]) => [name, `'${value}'`]))
  // why: it ends a statement that the gateway cannot: its host is gone, and no packet says so
  if (pool === 'reports') values.set('statement_timeout', STATEMENT_TIMEOUT)
  const names = new Set([...values.keys(), ...Object.keys(roleSettings(pool, prepared))])
  const columns = [...names].map(name => {
    const value = values.get(name)
    const current = `current_setting('${name}')`
    if (value === undefined) return `${current} as "${name}"`
    return `case when direct then set_config('${name}', ${value}, false) else ${current} end as "${name}"`
  })
  return `select in_recovery, direct, role, ${columns.join(', ')} from (
    select pg_is_in_recovery() as in_recovery, session_user::text as role,
      coalesce(pg_backend_pid() = ${processId ?? 'null'}, false) as direct
  ) as connection`
}

/** A limit of any length is one; PostgreSQL prints none as 0. */
const LIMITS = new Set([
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'client_connection_check_interval',
])

const UTC = /^(?:Etc\/)?(?:UTC|UCT|Universal|Zulu)$/i

/** @param found what `current_setting` says, by name */
export function findLacking(expected: Settings, found: Settings, role: string): Lacking[] {
  return Object.entries(expected).flatMap(([name, wanted]) => {
    const current = found[name] ?? ''
    if (isCarried(name, wanted, current)) return []
    // why: one role may do all, and what mends it for look-ups must not cut its reports short
    const value = LIMITS_OF_REPORTS[name] ?? wanted
    const changesAnswers = isPrintedOtherwise(name, current)
    return [
      { name, found: current, expected: value, changesAnswers, mend: mend(role, name, value) },
    ]
  })
}

function isCarried(name: string, expected: string, found: string): boolean {
  if (LIMITS.has(name)) return found !== '0'
  return found === expected || (name === 'TimeZone' && UTC.test(found))
}

/** Of one that is not carried. */
function isPrintedOtherwise(name: string, found: string): boolean {
  // why: what follows ISO is how a date is read that does not say which of its numbers is the day
  if (name === 'DateStyle') return !found.startsWith('ISO')
  return ['TimeZone', 'IntervalStyle', 'bytea_output'].includes(name)
}

function mend(role: string, name: string, value: string): string {
  const quoted = /^[a-z_][a-z0-9_]*$/.test(role) ? role : `"${role.replaceAll('"', '""')}"`
  return `alter role ${quoted} set ${name} = '${value}';`
}

/** Answers would be wrong on such a connection. The message is for the log and for authors. */
export class RoleSettingsError extends Error {
  override readonly name = 'RoleSettingsError'

  constructor(pool: PoolName, lacking: readonly Lacking[]) {
    const wrong = lacking.filter(({ changesAnswers }) => changesAnswers)
    super(
      `behind a pooler the role of ${pool} must carry what answers hang on, and does not: ${describeLacking(wrong)}`,
    )
  }
}

/** What the role lacks, where that is the error. */
export function refusalOf(error: unknown): string | undefined {
  const cause = error instanceof Problem ? error.cause : error
  return cause instanceof RoleSettingsError ? cause.message : undefined
}

/** `jit is "on", expected "off": alter role reports set jit = 'off';` and so on. */
export function describeLacking(lacking: readonly Lacking[]): string {
  return lacking
    .map(
      ({ name, found, expected, mend }) => `${name} is "${found}", expected "${expected}": ${mend}`,
    )
    .join(' ')
}
