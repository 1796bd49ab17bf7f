/** The metrics of svodka. No organization, key, URL, SQL or error text is a label. */
import type { LRUCache } from 'lru-cache'
import { PROBLEMS, REFUSAL_REASONS } from '../../model/errors.ts'
import type { Gauges, KeyDatabaseStatus } from '../../model/gauges.ts'
import { CLOSE_REASONS, EVICTION_REASONS, EXECUTION_OUTCOMES } from '../../model/observation.ts'
import { KEY_OUTCOMES, RETRY_REASONS, ROUTES } from '../../model/observation.ts'
import { CACHE_OUTCOMES, REPORT_FORMATS } from '../../model/terms.ts'

/** Name, kind, labels and help of each metric; config/README.md repeats them word for word. */
const ROWS = [
  'svodka_http_requests_total | counter | route report status | Requests by response; `report` is `none` for other paths',
  'svodka_http_request_duration_seconds | histogram | route report | Time from the arrival of a request to the end of its response',
  'svodka_http_time_to_first_byte_seconds | histogram | route result | Time from the arrival of a request to the head of its response, by cache result: `hit`, `miss`, `collapsed`, `stale`; `none` for problems and for paths without a cache',
  'svodka_http_requests_in_flight | gauge | - | Requests in flight',
  'svodka_http_shortcut_requests_total | counter | - | Hits of the fast path, without Koa; requests with `Cache-Control` or `Range` do not take it',
  'svodka_http_client_aborts_total | counter | - | Requests whose connection closed before the end of the response: the client disconnected or was disconnected',
  'svodka_http_connections_closed_total | counter | reason | Connections that the gateway closed: `limit` (for a new one, at `MAX_CONNECTIONS`), `unauthorized` (too many responses 401 in a row), `pipelined` (too many pipelined requests waited)',
  'svodka_http_response_bytes_total | counter | route | Bytes of bodies sent',
  "svodka_problems_total | counter | code | Problem responses, by the code of the table 'Errors'",
  'svodka_requests_refused_total | counter | reason | Requests refused before execution, by reason. The organization has too many requests in flight (`requests`) or queued (`waiting`); `overloaded`: no slot in time',
  'svodka_cache_requests_total | counter | result | Cache lookups by result: `hit`, `miss`, `collapsed` (joined an execution in flight), `stale`',
  'svodka_stale_response_age_seconds | histogram | - | Age of stale responses',
  'svodka_cache_bytes | gauge | - | Bytes of cached bodies',
  'svodka_cache_max_bytes | gauge | - | Bytes that the cache may hold',
  'svodka_cache_alias_bytes | gauge | - | Bytes of the aliases of cached responses; a sixteenth of `svodka_cache_max_bytes` at most',
  'svodka_cache_entries | gauge | - | Cached bodies',
  'svodka_report_answers_total | counter | format | Responses of reports by format, 304 and HEAD included',
  "svodka_cache_evictions_total | counter | reason | Bodies evicted: for `space`, over an organization's `share`, `expired`",
  'svodka_spool_bytes | gauge | - | Bytes of the files of large responses that are being written or sent; `svodka_spool_max_bytes` at most, with those that are only cached',
  'svodka_spool_max_bytes | gauge | - | Bytes that files of large responses may have: `SPOOL_MAX_BYTES`',
  'svodka_http_unread_bytes | gauge | - | Bytes of whole responses that clients have not read yet, and of reports that wait for their comparison; `CACHE_MAX_BYTES` at most, then new ones are `overloaded`',
  'svodka_key_checks_total | counter | outcome | Requests by their key: `valid`, `invalid`, `missing`, `locked` (below the tier), `unavailable` (no key database is usable), `invalid_row` (the access row of the organization is not valid)',
  'svodka_access_rows_invalid | gauge | - | Organizations whose access rows were not valid in the last minute, 100 at most; the log names them',
  'svodka_key_lookup_duration_seconds | histogram | - | Time of a key look-up query',
  'svodka_key_lookup_failures_total | counter | - | Key look-up queries that failed',
  'svodka_key_lookup_keys | histogram | - | Keys in one look-up query',
  'svodka_key_database_usable | gauge | database | 1 if keys can be looked up there: it is reachable, executes the look-up as the role of keys, and is no further behind than `KEYS_MAX_LAG`; if all are 0, every response is `access_unavailable`; NaN while unknown',
  'svodka_key_database_lag_seconds | gauge | database | How far it is behind the primary, never understated; 0 for the primary, NaN while unknown',
  'svodka_key_database_circuit_open | gauge | database | 1 while the circuit breaker is open: look-ups use another database',
  'svodka_db_pool_connections | gauge | pool replica state | Open connections, `in_use` or `idle`',
  'svodka_db_pool_max_connections | gauge | pool replica | Connections that a pool may open',
  'svodka_db_pool_waiters | gauge | pool replica | Callers waiting for a connection',
  'svodka_db_pool_acquire_duration_seconds | histogram | pool | Wait for a connection',
  'svodka_db_connections_lost_total | counter | pool replica | Connections that broke; `replica` is the `host:port` of any database',
  'svodka_db_certificate_expiry_timestamp_seconds | gauge | pool replica | When the certificate of a server expires, as of its last new connection; NaN without TLS. `replica` is the `host:port` of any database',
  'svodka_replica_up | gauge | replica | 1 if the last probe succeeded, 0 if it failed or before the first',
  'svodka_replica_usable | gauge | replica | 1 if reports may execute: in recovery, or writable and allowed; NaN while unknown',
  'svodka_replica_in_recovery | gauge | replica | 1 on a hot standby, 0 on a writable server, NaN while unknown',
  'svodka_replica_role_can_write | gauge | replica | 1 if the role of reports has write privileges, which the log names with the SQL that revokes them; 0 if not or before its first connection',
  'svodka_replica_replay_paused | gauge | replica | 1 while replay is paused, NaN while unknown',
  'svodka_replica_lag_seconds | gauge | replica | How far behind the primary, never understated; NaN while unknown',
  'svodka_replica_data_as_of_timestamp_seconds | gauge | replica | The data are at least as new as this; NaN while unknown',
  'svodka_replica_probe_timestamp_seconds | gauge | replica | When a probe last succeeded, 0 before the first',
  'svodka_replica_probe_failures_total | counter | replica | Failed probes',
  'svodka_replica_circuit_open | gauge | replica | 1 while the circuit breaker is open',
  'svodka_replica_circuit_openings_total | counter | replica | How often the circuit breaker opened',
  'svodka_replica_runs_total | counter | replica outcome | Executions by replica, with the outcomes of `svodka_runs_total`; `none`: no replica could be used, or the execution was refused before one was chosen',
  'svodka_run_retries_total | counter | replica reason | Executions retried after they failed on this replica: `conflict` with replay, `transport`, `elsewhere` (it is writable, full, too far behind or not the probed one)',
  'svodka_runs_total | counter | definition outcome | Executions of definitions on the replica: `ok`, `too_large`, `cancelled`, `unavailable`, `refused` (rate limited), `queue_timeout` (no slot in time), `spool_full` (no file for a large response, see `SPOOL_MAX_BYTES`), `timeout`, `error`',
  'svodka_run_duration_seconds | histogram | definition | Time of an execution from its slot to its end; without those that got none',
  'svodka_busiest_organization_ratio | gauge | - | The largest part, 0 to 1, of all execution time in the last minute that one organization has; `/organizations` names it',
  'svodka_admission_queue_length | gauge | - | Executions that wait for a slot, of all organizations',
  'svodka_admission_admitted_total | counter | - | Executions that got a slot',
  'svodka_run_queue_seconds | histogram | - | Wait of an execution for a slot, whether it got one or not',
  'svodka_run_rows_total | counter | definition | Rows read',
  'svodka_runs_spared_total | counter | definition | Executions that a cached failure saved: the same had failed seconds ago',
  'svodka_build_info | gauge | version node_version revision | Always 1; the labels have the versions of svodka and Node and the revision, which `make build` takes from git or from `make build SVODKA_REVISION=...`',
  'svodka_definitions_refused | gauge | - | Definitions that the last dry run could not plan on the replica, or the access query; the log has the error',
  'svodka_definition_timeout_seconds | gauge | definition | Limit of the time that an execution waits for the replica',
  'svodka_definition_max_rows | gauge | definition | Rows that a report may have',
  'svodka_definition_largest_rows | gauge | definition | Most rows of one execution, until none has as many for 10 minutes; 0 without one',
  'svodka_definitions_loaded | gauge | kind | Reports and business metrics in use, by `kind`: `report`, `metric`',
  'svodka_ready | gauge | check | 1 if this check of `/readyz` is ok or degraded, 0 if it fails',
  'svodka_definitions_last_reload_successful | gauge | - | 1 if the last reload succeeded or there was none; 0 if findings prevented it, which the log has',
  'svodka_definitions_last_reload_success_timestamp_seconds | gauge | - | When definitions were last loaded or reloaded successfully',
  'svodka_draining | gauge | - | 1 after the stop signal',
  'svodka_log_lines_dropped_total | counter | - | Log lines that were dropped because the reader of stdout stalled',
  'svodka_process_errors_total | counter | - | Uncaught errors; each is a defect of the gateway',
] as const

type NameOf<Row> = Row extends `${infer Name} | ${string}` ? Name : never
export type MetricName = NameOf<(typeof ROWS)[number]>

export const METRIC_NAMES = ROWS.map(row => row.split(' | ')[0] as MetricName)

export const METRIC_TABLE = Object.fromEntries(ROWS.map(specOf)) as Readonly<
  Record<MetricName, ReturnType<typeof specOf>[1]>
>

function specOf(row: string) {
  const [name = '', kind, labelNames = '', help = ''] = row.split(' | ')
  const labels = labelNames === '-' ? [] : labelNames.split(' ')
  // A state that is unknown before the first observation begins as NaN, as its help says.
  const startValue = help.includes('NaN') ? Number.NaN : 0
  return [
    name,
    { kind: kind as 'counter' | 'gauge' | 'histogram', labels, help, startValue },
  ] as const
}

/** Label value for missing names. */
export const NO_NAME = 'none'

const PROBLEM_STATUSES = Object.values(PROBLEMS).map(({ status }) => status)
/** 499: the client disconnected before the response began. */
const STATUSES = [...new Set([200, 206, 304, 499, ...PROBLEM_STATUSES])].map(String)

/** Values of a label, or of a label of one metric, whose series begin at 0. */
const LABEL_VALUES: Readonly<Record<string, readonly string[]>> = {
  route: ROUTES,
  report: [NO_NAME],
  status: STATUSES,
  format: REPORT_FORMATS,
  code: Object.keys(PROBLEMS),
  kind: ['report', 'metric'],
  result: CACHE_OUTCOMES,
  'svodka_http_time_to_first_byte_seconds result': [NO_NAME],
  pool: ['reports', 'probe'],
  'svodka_db_pool_acquire_duration_seconds pool': ['reports', 'keys'],
  outcome: EXECUTION_OUTCOMES,
  'svodka_key_checks_total outcome': KEY_OUTCOMES,
  'svodka_run_retries_total reason': RETRY_REASONS,
  'svodka_http_connections_closed_total reason': CLOSE_REASONS,
  'svodka_requests_refused_total reason': REFUSAL_REASONS,
  'svodka_cache_evictions_total reason': EVICTION_REASONS,
}

/** @returns undefined if they depend on the configuration or the catalog */
export function labelValues(name: string, label: string): readonly string[] | undefined {
  return LABEL_VALUES[`${name} ${label}`] ?? LABEL_VALUES[label]
}

/** From the time of a cached response to the timeouts of clients. */
const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50]

/** Buckets of other values than seconds up to the timeouts. */
const BUCKETS: Readonly<Record<string, number[]>> = {
  // Hits take less than a millisecond; the objectives are 50 ms for a hit and 2 s for the first byte of a miss.
  svodka_http_time_to_first_byte_seconds: [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 50,
  ],
  svodka_stale_response_age_seconds: [60, 300, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400],
  svodka_key_lookup_keys: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000],
}

export function bucketsOf(name: string): number[] {
  return BUCKETS[name] ?? SECONDS
}

/** A value with its label values, in the order of the labels. */
type Sample = readonly [value: number, ...labels: string[]]

/** The values of a gauge at a scrape. */
export type Reading = () => number | readonly Sample[]

export interface BuildInfo {
  readonly version: string
  readonly revision?: string | undefined
}

/** The gauges that are read at a scrape, synchronously, from memory. */
export function createReadings(
  gauges: Gauges,
  largestRows: LRUCache<string, number>,
  { version, revision = 'unknown' }: BuildInfo,
): { readonly [Name in MetricName]?: Reading } {
  const ofKeyDatabases = (valueOf: (database: KeyDatabaseStatus) => number) => (): Sample[] =>
    gauges.keyDatabases().map(database => [valueOf(database), database.replica])

  return {
    svodka_http_requests_in_flight: () => gauges.inFlight(),
    svodka_http_unread_bytes: () => gauges.bufferedBytes().heldBytes,
    svodka_cache_bytes: () => gauges.cache().byteCount,
    svodka_cache_max_bytes: () => gauges.cache().maxBytes,
    svodka_cache_alias_bytes: () => gauges.cache().aliasByteCount,
    svodka_cache_entries: () => gauges.cache().entryCount,
    svodka_spool_bytes: () => gauges.bufferedBytes().spooledBytes,
    svodka_spool_max_bytes: () => gauges.bufferedBytes().maxSpooledBytes,
    svodka_access_rows_invalid: () => gauges.invalidAccessRowCount(),
    svodka_key_database_usable: ofKeyDatabases(({ isUsable }) => Number(isUsable ?? Number.NaN)),
    svodka_key_database_lag_seconds: ofKeyDatabases(({ lagSeconds = Number.NaN }) => lagSeconds),
    svodka_key_database_circuit_open: ofKeyDatabases(({ isReached }) => Number(!isReached)),
    svodka_db_pool_connections: () =>
      gauges.pools().flatMap(({ pool, replica, inUse, idle }): Sample[] => [
        [inUse, pool, replica, 'in_use'],
        [idle, pool, replica, 'idle'],
      ]),
    svodka_db_pool_max_connections: () =>
      gauges.pools().map(({ pool, replica, max }) => [max, pool, replica]),
    svodka_db_pool_waiters: () =>
      gauges.pools().map(({ pool, replica, waiting }) => [waiting, pool, replica]),
    svodka_busiest_organization_ratio: () => gauges.busiestRatio(),
    svodka_admission_queue_length: () => gauges.queueLength(),
    svodka_build_info: () => [[1, version, process.version, revision]],
    svodka_definitions_refused: () => gauges.refusedDefinitionCount(),
    svodka_definition_timeout_seconds: () =>
      gauges.definitions().map(({ name, timeoutMs }) => [timeoutMs / 1000, name]),
    svodka_definition_max_rows: () =>
      gauges
        .definitions()
        .flatMap(({ name, maxRows }): Sample[] => (maxRows === undefined ? [] : [[maxRows, name]])),
    svodka_definition_largest_rows: () =>
      gauges.definitions().map(({ name }) => [largestRows.get(name) ?? 0, name]),
    svodka_ready: () => gauges.checks().map(({ name, ok }) => [Number(ok), name]),
  }
}
