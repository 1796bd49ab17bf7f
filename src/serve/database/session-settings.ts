/**
 * Settings of sessions, and the SQL that sets them. Behind a pooler sessions are shared, so nothing is set: the roles
 * must have the settings, and missing ones are reported with the SQL that adds them. Knows no pg.
 */
import type { MissingSetting, PoolName } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { UnsuitableServerError } from './classify-error.ts'

export type Settings = Readonly<Record<string, string>>

const GUARDS: Settings = {
  default_transaction_read_only: 'on',
  // why: a disconnected client frees its backend within half a second, not at the end of the statement
  client_connection_check_interval: '500ms',
  lock_timeout: '1s',
  idle_in_transaction_session_timeout: '5s',
}

/** Settings that determine the text of a value. */
const OUTPUT: Settings = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'iso_8601',
  bytea_output: 'hex',
}

/** PostgreSQL's defaults. A role or database may hand down others, which change figures. */
const EXACT_VALUES: Settings = {
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  gin_fuzzy_search_limit: '0',
}

/** As well, but others end sessions or refuse statements. A transaction timeout is applied to statements instead. */
export const DEFAULTS: Settings = {
  ...EXACT_VALUES,
  default_transaction_isolation: 'read committed',
  idle_session_timeout: '0',
  transaction_timeout: '0',
  exit_on_error: 'off',
}

// measured: JIT makes a 6 ms report take 53 ms
const NO_JIT: Settings = { jit: 'off' }

/** Settings that determine a report's result and plan. */
export const STATEMENT_SETTINGS: Settings = {
  ...OUTPUT,
  ...NO_JIT,
  // measured: with a shared plan product_sales of a large organization takes 5 s instead of 0.2 s
  plan_cache_mode: 'force_custom_plan',
  // measured: planning all join orders of seven tables takes 4 ms for operations; with this limit 1.5 ms, for the same plan
  // measured: with 8, three levels of children that a statement also joins took more than 20 s instead of 0.1 s
  join_collapse_limit: '4',
  from_collapse_limit: '4',
}

/** Settings of connections that execute reports. */
export const SESSION_SETTINGS: Settings = { ...GUARDS, ...STATEMENT_SETTINGS }

/** Settings of a session that is not shared. */
function sessionSettings(pool: PoolName): Settings {
  // why: key look-ups have a shared plan, as they cost the same for all organizations
  return pool === 'reports' ? SESSION_SETTINGS : { ...GUARDS, ...OUTPUT, ...NO_JIT }
}

/** Longer than those of a session, because they also apply to other clients of the role. */
const REPORT_LIMITS: Settings = {
  statement_timeout: '60s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '10s',
}

const LOOKUP_LIMITS: Settings = { ...GUARDS, statement_timeout: '2s' }

/** Required settings of a pool's role behind a pooler: `sql/product/roles.sql` has them. */
export function roleSettings(pool: PoolName): Settings {
  if (pool === 'reports') return { ...SESSION_SETTINGS, ...REPORT_LIMITS }
  // why: the probe reads numbers and booleans, whose text does not depend on settings
  return { ...LOOKUP_LIMITS, ...(pool === 'probe' ? NO_JIT : sessionSettings(pool)) }
}

/** Longer than the timeout of any definition plus the time to write its rows to a file. */
const LONGEST_STATEMENT_MS: Milliseconds = 120_000

const millisecondsOf = (setting: string): string =>
  `nullif(extract(epoch from current_setting('${setting}', true)::interval) * 1000, 0)`

/** SQL of that limit, or of the session's limit if it is lower; 0 is no limit. */
const STATEMENT_TIMEOUT = `least(
  ${millisecondsOf('statement_timeout')}, ${millisecondsOf('transaction_timeout')}, ${LONGEST_STATEMENT_MS}
)::bigint::text`

/** Any role may read them. Their texts do not depend on settings. */
export const IDENTITY_COLUMNS = `extract(epoch from pg_postmaster_start_time())::text as started,
  concat(host(inet_server_addr()), ':', current_setting('port')) as address`

/** why: the isolation that the role hands down may be one that a standby refuses */
export const BEGIN = 'begin isolation level read committed read only'

/**
 * Configures a new session, unless a pooler is in between, and returns its settings in the second of three results, for
 * one round trip.
 */
export function setUpStatement(pool: PoolName, processId: number | null): string {
  const values = new Map<string, string>()
  // why: it ends a statement if the gateway's host fails, which no packet reports
  // why: it comes first, since it is computed from settings that are replaced
  if (pool === 'reports') values.set('statement_timeout', STATEMENT_TIMEOUT)
  for (const [name, value] of Object.entries({ ...sessionSettings(pool), ...DEFAULTS }))
    values.set(name, `'${value}'`)
  const names = new Set([...values.keys(), ...Object.keys(roleSettings(pool))])
  const columns = [...names].map(name => {
    const value = values.get(name)
    // why: an earlier version may not have the setting
    const current = `current_setting('${name}', true)`
    if (value === undefined) return `${current} as "${name}"`
    return `case when direct and ${current} is not null then set_config('${name}', ${value}, false) else ${current} end as "${name}"`
  })
  return `${BEGIN}; select in_recovery, direct, role, ${IDENTITY_COLUMNS}, ${columns.join(', ')} from (
    select pg_is_in_recovery() as in_recovery, session_user::text as role,
      coalesce(pg_backend_pid() = ${processId ?? 'null'}, false) as direct
  ) as connection; commit`
}

/** Any limit is accepted; 0 is no limit. */
const LIMITS = new Set([...Object.keys(REPORT_LIMITS), 'client_connection_check_interval'])

const UTC = /^(?:Etc\/)?(?:UTC|UCT|Universal|Zulu)$/i

/** @param found values of `current_setting`, by name; null if the server does not know it */
export function findLacking(
  required: Settings,
  found: Readonly<Record<string, string | null>>,
  role: string,
): MissingSetting[] {
  const missing: MissingSetting[] = []
  for (const [name, wanted] of Object.entries(required)) {
    const current = found[name] ?? ''
    if (found[name] === null || isAccepted(name, wanted, current)) continue
    // why: if one role serves all pools, the limits of look-ups must not abort its reports
    const expected = REPORT_LIMITS[name] ?? wanted
    const remedySql = `alter role ${quotedRole(role)} set ${name} = '${expected}';`
    const affectsResults = changesOutput(name, current)
    missing.push({ name, found: current, expected, affectsResults, remedySql })
  }
  return missing
}

function isAccepted(name: string, expected: string, found: string): boolean {
  if (LIMITS.has(name)) return found !== '0'
  return found === expected || (name === 'TimeZone' && UTC.test(found))
}

/** Whether a missing setting changes values or their text. */
function changesOutput(name: string, found: string): boolean {
  // why: the part after ISO affects only input
  if (name === 'DateStyle') return !found.startsWith('ISO')
  return name in OUTPUT || name in EXACT_VALUES
}

/** The role as an SQL identifier. */
export function quotedRole(role: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(role) ? role : `"${role.replaceAll('"', '""')}"`
}

/** Results would be wrong on such a connection. The message is for the log and for authors. */
export class RoleSettingsError extends UnsuitableServerError {
  override readonly name = 'RoleSettingsError'

  constructor(pool: PoolName, missingSettings: readonly MissingSetting[]) {
    const wrong = missingSettings.filter(({ affectsResults }) => affectsResults)
    super(
      `behind a pooler the role of ${pool} lacks settings that results depend on: ${describeLacking(wrong)}`,
    )
  }
}

/** The missing role settings, if they are the error. */
export function refusalOf(error: unknown): string | undefined {
  return error instanceof RoleSettingsError ? error.message : undefined
}

/** `jit is "on", expected "off": alter role reports set jit = 'off';` and so on. */
export function describeLacking(missingSettings: readonly MissingSetting[]): string {
  return missingSettings
    .map(one => `${one.name} is "${one.found}", expected "${one.expected}": ${one.remedySql}`)
    .join(' ')
}
