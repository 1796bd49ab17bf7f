/** All metrics of the gateway. Names are in base units. No organization, key, URL or error text is a label. */
import { PROBLEMS, REFUSAL_REASONS } from '../../model/errors.ts'
import {
  CLOSE_REASONS,
  EVICTION_REASONS,
  KEY_OUTCOMES,
  RETRY_REASONS,
  ROUTES,
  RUN_OUTCOMES,
} from '../../model/observation.ts'
import { CACHE_OUTCOMES, REPORT_FORMATS } from '../../model/terms.ts'

/** Values of labels that the table does not know. */
export interface NamesOfLabels {
  readonly definitions?: readonly string[]
  readonly replicas?: readonly string[]
}

/** Each label with its values at the start. */
export type LabelValues<Label extends string> = Readonly<
  Record<Label, ReadonlyArray<string | number> | keyof NamesOfLabels>
>

export interface MetricSpec {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  /** One line, Markdown; the README shows it word for word. */
  readonly help: string
  readonly labels: LabelValues<string>
  readonly buckets?: readonly number[]
  /** NaN is unknown. */
  readonly startValue?: number
}

/** The label where a name is not the catalog's, or there is none. */
export const NO_NAME = 'none'

const PROBLEM_STATUSES = Object.values(PROBLEMS).map(({ status }) => status)
/** 499: the client disconnected before the response began. */
const STATUSES = [...new Set([200, 206, 304, 499, ...PROBLEM_STATUSES])]

/** From a cached response over a cold report to the timeouts of clients. */
const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50]
const KEY_COUNTS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000]

const counter = <Label extends string = never>(help: string, labels = {} as LabelValues<Label>) =>
  ({ kind: 'counter', help, labels }) as const

const gauge = <Label extends string = never>(
  help: string,
  labels = {} as LabelValues<Label>,
  startValue = 0,
) => ({ kind: 'gauge', help, labels, startValue }) as const

const histogram = <Label extends string = never>(
  help: string,
  buckets: readonly number[],
  labels = {} as LabelValues<Label>,
) => ({ kind: 'histogram', help, buckets, labels }) as const

const OF_REPLICA = { replica: 'replicas' } as const
const OF_DEFINITION = { definition: 'definitions' } as const
/** They have no series before the first scrape. */
const OF_DATABASE = { replica: [] }
const OF_POOL = { pool: [], replica: [] }
const UNKNOWN = Number.NaN

export const METRIC_TABLE = {
  svodka_http_requests_total: counter('Requests by response; `report` is `none` for other paths', {
    route: ROUTES,
    report: [NO_NAME],
    status: STATUSES,
  }),
  svodka_http_request_duration_seconds: histogram(
    'Time from the arrival of a request to the end of its response',
    SECONDS,
    { route: ROUTES, report: [NO_NAME] },
  ),
  svodka_http_requests_in_flight: gauge('Requests in flight'),
  svodka_http_shortcut_requests_total: counter(
    'Hits and responses 401 of the fast path, without Koa; requests with `Cache-Control` or a repeated header do not take it',
  ),
  svodka_http_client_aborts_total: counter(
    'Requests whose connection closed before the end of the response: the client disconnected or was disconnected',
  ),
  svodka_http_connections_closed_total: counter(
    'Connections that the gateway closed: `limit` (for a new one, at `MAX_CONNECTIONS`), `unauthorized` (too many responses 401 in a row), `pipelined` (too many pipelined requests waited)',
    { reason: CLOSE_REASONS },
  ),
  svodka_http_response_bytes_total: counter('Bytes of bodies sent', { route: ROUTES }),
  svodka_problems_total: counter("Problem responses, by the code of the table 'Errors'", {
    code: Object.keys(PROBLEMS),
  }),
  svodka_requests_refused_total: counter(
    'Requests refused before execution, by reason. The organization has too many requests in flight (`requests`) or queued (`waiting`), a backlog that takes too long (`backlog`) or no budget left (`budget`); `overloaded`: the backlog of all organizations takes too long',
    { reason: REFUSAL_REASONS },
  ),
  svodka_cache_requests_total: counter(
    'Cache lookups by result: `hit`, `miss`, `collapsed` (joined an execution in flight), `stale`',
    { result: CACHE_OUTCOMES },
  ),
  svodka_cache_bytes: gauge('Bytes of cached bodies'),
  svodka_cache_max_bytes: gauge('Bytes that the cache may hold'),
  svodka_cache_alias_bytes: gauge(
    'Bytes of the aliases of cached responses; a sixteenth of `svodka_cache_max_bytes` at most',
  ),
  svodka_cache_entries: gauge('Cached bodies'),
  svodka_report_answers_total: counter('Responses of reports by format, 304 and HEAD included', {
    format: REPORT_FORMATS,
  }),
  svodka_cache_evictions_total: counter(
    "Bodies evicted: for `space`, over an organization's `share`, `expired`",
    { reason: EVICTION_REASONS },
  ),
  svodka_spool_bytes: gauge(
    'Bytes of spill files for slow clients of streamed responses; `SPOOL_MAX_BYTES` at most',
  ),
  svodka_http_unread_bytes: gauge(
    'Bytes of whole responses that clients have not read yet; `CACHE_MAX_BYTES` at most, then new ones are `overloaded`',
  ),
  svodka_db_pool_connections: gauge('Open connections, `in_use` or `idle`', {
    pool: [],
    replica: [],
    state: [],
  }),
  svodka_db_pool_max_connections: gauge('Connections that a pool may open', OF_POOL),
  svodka_db_pool_waiters: gauge('Callers waiting for a connection', OF_POOL),
  svodka_db_pool_acquire_duration_seconds: histogram('Wait for a connection', SECONDS, {
    pool: ['reports', 'keys'],
  }),
  svodka_db_connections_lost_total: counter(
    'Connections that broke; `replica` is the `host:port` of any database',
    { pool: ['reports', 'probe'], replica: 'replicas' },
  ),
  svodka_replica_up: gauge(
    '1 if the last probe succeeded, 0 if it failed or before the first',
    OF_REPLICA,
  ),
  svodka_replica_usable: gauge(
    '1 if reports may execute: in recovery, or writable and allowed; NaN while unknown',
    OF_REPLICA,
    UNKNOWN,
  ),
  svodka_replica_in_recovery: gauge(
    '1 on a hot standby, 0 on a writable server, NaN while unknown',
    OF_REPLICA,
    UNKNOWN,
  ),
  svodka_replica_role_can_write: gauge(
    '1 if the role of reports has write privileges, which the log names with the SQL that revokes them; 0 if not or before its first connection',
    OF_REPLICA,
  ),
  svodka_replica_replay_paused: gauge(
    '1 while replay is paused, NaN while unknown',
    OF_REPLICA,
    UNKNOWN,
  ),
  svodka_replica_lag_seconds: gauge(
    'How far behind the primary, never understated; NaN while unknown',
    OF_REPLICA,
    UNKNOWN,
  ),
  svodka_replica_data_as_of_timestamp_seconds: gauge(
    'The data are at least as new as this; NaN while unknown',
    OF_REPLICA,
    UNKNOWN,
  ),
  svodka_replica_probe_timestamp_seconds: gauge(
    'When a probe last succeeded, 0 before the first',
    OF_REPLICA,
  ),
  svodka_replica_probe_failures_total: counter('Failed probes', OF_REPLICA),
  svodka_replica_circuit_open: gauge(
    '1 while the circuit breaker is open or half-open',
    OF_REPLICA,
  ),
  svodka_replica_circuit_openings_total: counter(
    'How often the circuit breaker opened',
    OF_REPLICA,
  ),
  svodka_replica_runs_total: counter(
    'Executions by replica, with the outcomes of `svodka_runs_total`; `none`: no replica could be used, or the execution was refused before one was chosen',
    { replica: 'replicas', outcome: RUN_OUTCOMES },
  ),
  svodka_run_retries_total: counter(
    'Executions retried after they failed on this replica: `conflict` with replay, `transport`, `elsewhere` (it is writable or full, or its role lacks settings)',
    { replica: 'replicas', reason: RETRY_REASONS },
  ),
  svodka_runs_total: counter(
    'Executions of definitions on the replica: `ok`, `too_large`, `cancelled`, `unavailable`, `refused` (rate limited or overloaded), `spool_full` (spill files are full, see `SPOOL_MAX_BYTES`), `timeout`, `error`',
    { definition: 'definitions', outcome: RUN_OUTCOMES },
  ),
  svodka_run_duration_seconds: histogram(
    'Time of an execution from its slot to its end; without those that got none',
    SECONDS,
    OF_DEFINITION,
  ),
  svodka_admission_queue_length: gauge('Executions that wait for a slot, of all organizations'),
  svodka_admission_admitted_total: counter('Executions that got a slot'),
  svodka_run_queue_seconds: histogram(
    'Wait of an execution for a slot, whether it got one or not',
    SECONDS,
  ),
  svodka_run_rows_total: counter('Rows read', OF_DEFINITION),
  svodka_runs_spared_total: counter(
    'Executions that the negative cache saved: the same had failed seconds ago',
    OF_DEFINITION,
  ),
  svodka_key_checks_total: counter(
    'Requests by their key: `valid`, `invalid`, `missing`, `locked` (below the tier), `unavailable` (no key database is usable), `invalid_row` (the access row of the organization is not valid)',
    { outcome: KEY_OUTCOMES },
  ),
  svodka_access_rows_invalid: gauge(
    'Organizations whose access rows were not valid in the last minute, 100 at most; the log names them',
  ),
  svodka_key_lookup_duration_seconds: histogram('Time of a key look-up query', SECONDS),
  svodka_key_lookup_failures_total: counter('Key look-up queries that failed'),
  svodka_key_lookup_keys: histogram('Keys in one look-up query', KEY_COUNTS),
  svodka_key_database_usable: gauge(
    '1 if keys can be looked up there: it is reachable, and no further behind than `KEYS_MAX_LAG`; if all are 0, every response is `access_unavailable`; NaN while unknown',
    OF_DATABASE,
  ),
  svodka_key_database_lag_seconds: gauge(
    'How far it is behind the primary, never understated; 0 for the primary, NaN while unknown',
    OF_DATABASE,
  ),
  svodka_key_database_circuit_open: gauge(
    '1 while the circuit breaker is open: look-ups use another database',
    OF_DATABASE,
  ),
  svodka_build_info: gauge('1; what is running', { version: [], node_version: [], revision: [] }),
  svodka_definitions_refused_total: counter(
    'Definitions that a dry run could not plan on the replica; the log has the error',
  ),
  svodka_definitions_loaded: gauge(
    'Reports and business metrics in use, by `kind`: `report`, `metric`',
    { kind: ['report', 'metric'] },
  ),
  svodka_draining: gauge('1 after the signal to stop'),
  svodka_log_lines_dropped_total: counter(
    'Log lines that were dropped because the reader of stdout stalled; a line with their number follows',
  ),
  svodka_process_errors_total: counter('Uncaught errors; each is a defect of the gateway'),
}

type Table = typeof METRIC_TABLE
export type MetricName = keyof Table
export type LabelOf<Name extends MetricName> = keyof Table[Name]['labels'] & string
export type GaugeName = {
  [Name in MetricName]: Table[Name]['kind'] extends 'gauge' ? Name : never
}[MetricName]
