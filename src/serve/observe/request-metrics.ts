/** Metrics of requests: responses, the cache, keys and connections. No organization, key, URL or error text is a label. */
import type { KeyDatabaseStatus } from '../../model/gauges.ts'
import { PROBLEMS, REFUSAL_REASONS } from '../../model/errors.ts'
import { CLOSE_REASONS, EVICTION_REASONS, KEY_OUTCOMES, ROUTES } from '../../model/observation.ts'
import { CACHE_OUTCOMES, REPORT_FORMATS } from '../../model/terms.ts'
import { counter, gauge, histogram, NO_NAME, reading, readings } from './metric.ts'
import type { MetricSpec } from './metric.ts'

const PROBLEM_STATUSES = Object.values(PROBLEMS).map(({ status }) => status)
/** 499: the client disconnected before the response began. */
const STATUSES = [...new Set([200, 206, 304, 499, ...PROBLEM_STATUSES])].map(String)
/** Hits take less than a millisecond; the objectives are 50 ms for a hit and 2 s for the first byte of a miss. */
const FIRST_BYTE_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 50,
]
const STALE_SECONDS = [60, 300, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400]
const KEY_COUNTS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000]

/** Without series before the first scrape. */
const OF_DATABASE = { database: [] }
const OF_POOL = { pool: [], replica: [] }

export const REQUEST_METRICS = {
  svodka_http_requests_total: counter(
    'Requests by response; `report` is `none` for other paths',
    { route: ROUTES, report: [NO_NAME], status: STATUSES },
    {
      request: ({ route, report, status }, add, { reportOf }) =>
        add(1, route, reportOf(report), String(status)),
    },
  ),
  svodka_http_request_duration_seconds: histogram(
    'Time from the arrival of a request to the end of its response',
    { route: ROUTES, report: [NO_NAME] },
    {
      request: ({ route, report, durationMs }, observe, { reportOf }) =>
        observe(durationMs / 1000, route, reportOf(report)),
    },
  ),
  svodka_http_time_to_first_byte_seconds: histogram(
    'Time from the arrival of a request to the head of its response, by cache result: `hit`, `miss`, `collapsed`, `stale`; `none` for problems and for paths without a cache',
    { route: ROUTES, result: [NO_NAME] },
    {
      request({ route, cache, problem, firstByteMs }, observe) {
        if (firstByteMs === undefined) return
        observe(firstByteMs / 1000, route, problem === undefined ? (cache ?? NO_NAME) : NO_NAME)
      },
    },
    FIRST_BYTE_SECONDS,
  ),
  svodka_http_requests_in_flight: reading('Requests in flight', gauges => gauges.inFlight()),
  svodka_http_shortcut_requests_total: counter(
    'Hits and responses 401 of the fast path, without Koa; requests with `Cache-Control` or a repeated header do not take it',
    {},
    { request: ({ shortcut }, add) => shortcut && add(1) },
  ),
  svodka_http_client_aborts_total: counter(
    'Requests whose connection closed before the end of the response: the client disconnected or was disconnected',
    {},
    { request: ({ aborted }, add) => aborted && add(1) },
  ),
  svodka_http_connections_closed_total: counter(
    'Connections that the gateway closed: `limit` (for a new one, at `MAX_CONNECTIONS`), `unauthorized` (too many responses 401 in a row), `pipelined` (too many pipelined requests waited)',
    { reason: CLOSE_REASONS },
    { 'connection-closed': ({ reason }, add) => add(1, reason) },
  ),
  svodka_http_response_bytes_total: counter(
    'Bytes of bodies sent',
    { route: ROUTES },
    { request: ({ route, sentBytes }, add) => add(sentBytes, route) },
  ),
  svodka_problems_total: counter(
    "Problem responses, by the code of the table 'Errors'",
    { code: Object.keys(PROBLEMS) },
    { request: ({ problem }, add) => problem && add(1, problem) },
  ),
  svodka_requests_refused_total: counter(
    'Requests refused before execution, by reason. The organization has too many requests in flight (`requests`) or queued (`waiting`); `overloaded`: no slot in time',
    { reason: REFUSAL_REASONS },
    { request: ({ refusal }, add) => refusal && add(1, refusal) },
  ),
  svodka_cache_requests_total: counter(
    'Cache lookups by result: `hit`, `miss`, `collapsed` (joined an execution in flight), `stale`',
    { result: CACHE_OUTCOMES },
    { request: ({ cache }, add) => cache && add(1, cache) },
  ),
  svodka_stale_response_age_seconds: histogram(
    'Age of stale responses',
    {},
    {
      request: ({ cache, ageSeconds }, observe) =>
        cache === 'stale' && ageSeconds !== undefined && observe(ageSeconds),
    },
    STALE_SECONDS,
  ),
  svodka_cache_bytes: reading('Bytes of cached bodies', gauges => gauges.cache().byteCount),
  svodka_cache_max_bytes: reading(
    'Bytes that the cache may hold',
    gauges => gauges.cache().maxBytes,
  ),
  svodka_cache_alias_bytes: reading(
    'Bytes of the aliases of cached responses; a sixteenth of `svodka_cache_max_bytes` at most',
    gauges => gauges.cache().aliasByteCount,
  ),
  svodka_cache_entries: reading('Cached bodies', gauges => gauges.cache().entryCount),
  svodka_report_answers_total: counter(
    'Responses of reports by format, 304 and HEAD included',
    { format: REPORT_FORMATS },
    { request: ({ format }, add) => format && add(1, format) },
  ),
  svodka_cache_evictions_total: counter(
    "Bodies evicted: for `space`, over an organization's `share`, `expired`",
    { reason: EVICTION_REASONS },
    { 'cache-evicted': ({ reason }, add) => add(1, reason) },
  ),
  svodka_spool_bytes: reading(
    'Bytes of spill files for slow clients of streamed responses; `svodka_spool_max_bytes` at most',
    gauges => gauges.bufferedBytes().spooledBytes,
  ),
  svodka_spool_max_bytes: reading(
    'Bytes that spill files may have: `SPOOL_MAX_BYTES`',
    gauges => gauges.bufferedBytes().maxSpooledBytes,
  ),
  svodka_http_unread_bytes: reading(
    'Bytes of whole responses that clients have not read yet; `CACHE_MAX_BYTES` at most, then new ones are `overloaded`',
    gauges => gauges.bufferedBytes().heldBytes,
  ),
  svodka_key_checks_total: counter(
    'Requests by their key: `valid`, `invalid`, `missing`, `locked` (below the tier), `unavailable` (no key database is usable), `invalid_row` (the access row of the organization is not valid)',
    { outcome: KEY_OUTCOMES },
    { 'key-checked': ({ outcome }, add) => add(1, outcome) },
  ),
  svodka_access_rows_invalid: reading(
    'Organizations whose access rows were not valid in the last minute, 100 at most; the log names them',
    gauges => gauges.invalidAccessRowCount(),
  ),
  svodka_key_lookup_duration_seconds: histogram(
    'Time of a key look-up query',
    {},
    {
      'key-lookup': ({ durationMs }, observe) => observe(durationMs / 1000),
    },
  ),
  svodka_key_lookup_failures_total: counter(
    'Key look-up queries that failed',
    {},
    { 'key-lookup': ({ error }, add) => error !== undefined && add(1) },
  ),
  svodka_key_lookup_keys: histogram(
    'Keys in one look-up query',
    {},
    { 'key-lookup': ({ keyCount }, observe) => observe(keyCount) },
    KEY_COUNTS,
  ),
  svodka_key_database_usable: ofKeyDatabases(
    '1 if keys can be looked up there: it is reachable, and no further behind than `KEYS_MAX_LAG`; if all are 0, every response is `access_unavailable`; NaN while unknown',
    ({ isUsable }) => Number(isUsable ?? Number.NaN),
  ),
  svodka_key_database_lag_seconds: ofKeyDatabases(
    'How far it is behind the primary, never understated; 0 for the primary, NaN while unknown',
    ({ lagSeconds = Number.NaN }) => lagSeconds,
  ),
  svodka_key_database_circuit_open: ofKeyDatabases(
    '1 while the circuit breaker is open: look-ups use another database',
    ({ isReached }) => Number(!isReached),
  ),
  svodka_db_pool_connections: readings(
    'Open connections, `in_use` or `idle`',
    { pool: [], replica: [], state: [] },
    gauges =>
      gauges.pools().flatMap(({ pool, replica, inUse, idle }) => [
        [inUse, pool, replica, 'in_use'],
        [idle, pool, replica, 'idle'],
      ]),
  ),
  svodka_db_pool_max_connections: readings('Connections that a pool may open', OF_POOL, gauges =>
    gauges.pools().map(({ pool, replica, max }) => [max, pool, replica]),
  ),
  svodka_db_pool_waiters: readings('Callers waiting for a connection', OF_POOL, gauges =>
    gauges.pools().map(({ pool, replica, waiting }) => [waiting, pool, replica]),
  ),
  svodka_db_pool_acquire_duration_seconds: histogram(
    'Wait for a connection',
    { pool: ['reports', 'keys'] },
    { 'connection-acquired': ({ pool, durationMs }, observe) => observe(durationMs / 1000, pool) },
  ),
  svodka_db_connections_lost_total: counter(
    'Connections that broke; `replica` is the `host:port` of any database',
    { pool: ['reports', 'probe'], replica: 'replicas' },
    { 'connection-lost': ({ pool, replica = NO_NAME }, add) => add(1, pool, replica) },
  ),
  svodka_db_certificate_expiry_timestamp_seconds: gauge(
    'When the certificate of a server expires, as of its last new connection; NaN without TLS. `replica` is the `host:port` of any database',
    { pool: ['reports', 'probe'], replica: 'replicas' },
    {
      'server-certificate': ({ pool, replica = NO_NAME, expiresAt }, set) =>
        set(Date.parse(expiresAt) / 1000, pool, replica),
    },
    Number.NaN,
  ),
}

function ofKeyDatabases(
  help: string,
  valueOf: (database: KeyDatabaseStatus) => number,
): MetricSpec {
  return readings(help, OF_DATABASE, gauges =>
    gauges.keyDatabases().map(database => [valueOf(database), database.replica]),
  )
}
