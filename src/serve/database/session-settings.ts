/**
 * Settings of sessions, and the SQL that sets them: once, or behind a pooler, where sessions are shared, in each
 * transaction. Knows no pg.
 */
import type { PoolName } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'

export type Settings = Readonly<Record<string, string>>

const GUARDS: Settings = {
  default_transaction_read_only: 'on',
  // why: a disconnected client frees its backend and its slot soon, not at the end of the statement
  client_connection_check_interval: '100ms',
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

/**
 * PostgreSQL's defaults. A role or database may hand down others, which change figures, end sessions or refuse
 * statements. A transaction timeout is applied to statements instead.
 */
const DEFAULTS: Settings = {
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  gin_fuzzy_search_limit: '0',
  default_transaction_isolation: 'read committed',
  idle_session_timeout: '0',
  transaction_timeout: '0',
  exit_on_error: 'off',
}

// measured: JIT makes a 6 ms report take 53 ms
const NO_JIT: Settings = { jit: 'off' }

/**
 * why: key look-ups cost the same for all organizations. Left to itself, PostgreSQL plans each look-up of few keys anew:
 * CPU of the server for one key 190 us, with a shared plan 45 us; until the response 320 us and 110 us (2026-11-28)
 */
const SHARED_PLAN_OF_KEYS: Settings = { plan_cache_mode: 'force_generic_plan' }

/** Settings that determine a report's result and plan. */
export const STATEMENT_SETTINGS: Settings = {
  ...OUTPUT,
  ...NO_JIT,
  // measured: with a shared plan product_sales of a large organization takes 5 s instead of 0.2 s
  plan_cache_mode: 'force_custom_plan',
  // measured: planning all join orders of seven tables takes 4 ms for operations; with this limit 1.5 ms, for the same plan
  join_collapse_limit: '4',
  from_collapse_limit: '4',
}

/** Settings of connections that execute reports. */
export const SESSION_SETTINGS: Settings = { ...GUARDS, ...STATEMENT_SETTINGS }

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

/** An expression that sets all settings. @param isLocal for the transaction alone */
function setAll(pool: PoolName, isLocal: boolean): string {
  const own =
    pool === 'reports'
      ? SESSION_SETTINGS
      : { ...GUARDS, ...OUTPUT, ...NO_JIT, ...SHARED_PLAN_OF_KEYS }
  // why: an earlier version may not have the setting
  const call = (name: string, value: string): string =>
    `case when current_setting('${name}', true) is not null then set_config('${name}', ${value}, ${isLocal}) end`
  const calls = Object.entries({ ...own, ...DEFAULTS }).map(([name, text]) =>
    call(name, `'${text}'`),
  )
  // why: it ends a statement if the gateway's host fails, which no packet reports
  // why: it comes first, since it is computed from settings that are replaced
  if (pool === 'reports') calls.unshift(call('statement_timeout', STATEMENT_TIMEOUT))
  return `num_nulls(${calls.join(', ')})`
}

/** Configures the transaction of a shared session. Without rows. */
export function localSettings(pool: PoolName): string {
  return `select where ${setAll(pool, true)} < 0`
}

/**
 * Configures a new session, unless a pooler is in between, and identifies its server in the second of three results,
 * for one round trip.
 */
export function setUpStatement(pool: PoolName, processId: number | null): string {
  return `${BEGIN}; select in_recovery, direct, ${IDENTITY_COLUMNS},
    case when direct then ${setAll(pool, false)} end as unknown_settings from (
    select pg_is_in_recovery() as in_recovery,
      coalesce(pg_backend_pid() = ${processId ?? 'null'}, false) as direct
  ) as connection; commit`
}
