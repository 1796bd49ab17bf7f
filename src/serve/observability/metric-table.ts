/**
 * Every metric of ours that the operations port exposes; Node's own come beside them. Names are in base
 * units; no organization, key, URL or error text is ever a label.
 */

export interface MetricSpec {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly labels?: readonly string[]
  /** One line, Markdown; the README shows it word for word. */
  readonly help: string
  readonly buckets?: readonly number[]
}

/** Around what a cached answer takes, what a report takes, and where clients hang up. */
const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50]

export const METRIC_TABLE = {
  svodka_http_requests_total: {
    kind: 'counter',
    labels: ['route', 'report', 'status'],
    help: 'Requests answered; `report` is `none` away from reports',
  },
  svodka_http_request_duration_seconds: {
    kind: 'histogram',
    labels: ['route', 'report'],
    help: 'From the arrival of a request to the end of its answer',
    buckets: SECONDS,
  },
  svodka_http_requests_in_flight: { kind: 'gauge', help: 'Requests being answered now' },
  svodka_http_shortcut_requests_total: {
    kind: 'counter',
    help: 'Hits and refused keys that were answered before Koa: a client that sends `Cache-Control` or repeats a header is answered through Koa',
  },
  svodka_http_client_aborts_total: {
    kind: 'counter',
    help: 'Requests whose connection ended before the answer was out: the client left, or was cut off',
  },
  svodka_http_connections_closed_total: {
    kind: 'counter',
    labels: ['reason'],
    help: 'Connections that the gateway closed: `limit` (for a new one, at `MAX_CONNECTIONS`), `unauthorized` (too many responses 401 in a row), `pipelined` (too many pipelined requests waited)',
  },
  svodka_http_response_bytes_total: {
    kind: 'counter',
    labels: ['route'],
    help: 'Bytes of bodies sent',
  },
  svodka_problems_total: {
    kind: 'counter',
    labels: ['code'],
    help: "Answers that were problems, by the code of the table 'Errors'",
  },
  svodka_requests_refused_total: {
    kind: 'counter',
    labels: ['reason'],
    help: 'Requests refused before execution, by reason. The organization has too many requests in flight (`requests`) or queued (`waiting`), a backlog that takes too long (`backlog`) or no budget left (`budget`); `overloaded`: the backlog of all organizations takes too long',
  },
  svodka_cache_requests_total: {
    kind: 'counter',
    labels: ['result'],
    help: 'Requests that came to the cache: `hit`, `miss`, `collapsed` (joined a run in flight), `stale`',
  },
  svodka_cache_bytes: { kind: 'gauge', help: 'Bytes of the bodies that are kept' },
  svodka_cache_max_bytes: { kind: 'gauge', help: 'Bytes that the cache may hold' },
  svodka_cache_alias_bytes: {
    kind: 'gauge',
    help: 'Bytes of the words that kept answers were asked for by; a sixteenth of `svodka_cache_max_bytes` at most',
  },
  svodka_cache_entries: { kind: 'gauge', help: 'Bodies that are kept' },
  svodka_report_answers_total: {
    kind: 'counter',
    labels: ['format'],
    help: 'Answers of reports by format, 304 and HEAD included',
  },
  svodka_cache_evictions_total: {
    kind: 'counter',
    labels: ['reason'],
    help: "Bodies dropped: for `space`, over an organization's `share`, `expired`",
  },
  svodka_spool_bytes: {
    kind: 'gauge',
    help: 'Bytes of the files that slow readers of streamed answers read from; `SPOOL_MAX_BYTES` at most',
  },
  svodka_http_unread_bytes: {
    kind: 'gauge',
    help: 'Bytes of whole answers that clients have not taken yet; `CACHE_MAX_BYTES` at most, then new ones are `overloaded`',
  },
  svodka_db_pool_connections: {
    kind: 'gauge',
    labels: ['pool', 'replica', 'state'],
    help: 'Open connections, `in_use` or `idle`',
  },
  svodka_db_pool_max_connections: {
    kind: 'gauge',
    labels: ['pool', 'replica'],
    help: 'Connections that a pool may open',
  },
  svodka_db_pool_waiters: {
    kind: 'gauge',
    labels: ['pool', 'replica'],
    help: 'Callers waiting for a connection',
  },
  svodka_db_pool_acquire_duration_seconds: {
    kind: 'histogram',
    labels: ['pool'],
    help: 'Wait for a connection',
    buckets: SECONDS,
  },
  svodka_db_connections_lost_total: {
    kind: 'counter',
    labels: ['pool', 'replica'],
    help: 'Connections that broke; `replica` is the `host:port` of any database',
  },
  svodka_replica_up: {
    kind: 'gauge',
    labels: ['replica'],
    help: '1 if the last probe was answered, 0 if not or before the first',
  },
  svodka_replica_usable: {
    kind: 'gauge',
    labels: ['replica'],
    help: '1 if reports may run: in recovery, or writable and allowed; NaN while unknown',
  },
  svodka_replica_in_recovery: {
    kind: 'gauge',
    labels: ['replica'],
    help: '1 on a hot standby, 0 on a writable server, NaN while unknown',
  },
  svodka_replica_role_can_write: {
    kind: 'gauge',
    labels: ['replica'],
    help: '1 if the role of reports has write privileges, which the log names with the SQL that revokes them; 0 if not or before its first connection',
  },
  svodka_replica_replay_paused: {
    kind: 'gauge',
    labels: ['replica'],
    help: '1 while replay is paused, NaN while unknown',
  },
  svodka_replica_lag_seconds: {
    kind: 'gauge',
    labels: ['replica'],
    help: 'How far behind the primary, never understated; NaN while unknown',
  },
  svodka_replica_data_as_of_timestamp_seconds: {
    kind: 'gauge',
    labels: ['replica'],
    help: 'The data were last known to be as new as this; NaN while unknown',
  },
  svodka_replica_probe_timestamp_seconds: {
    kind: 'gauge',
    labels: ['replica'],
    help: 'When a probe was last answered, 0 before the first',
  },
  svodka_replica_probe_failures_total: {
    kind: 'counter',
    labels: ['replica'],
    help: 'Probes without an answer',
  },
  svodka_replica_circuit_open: {
    kind: 'gauge',
    labels: ['replica'],
    help: '1 while no run is sent to it because the way there is broken',
  },
  svodka_replica_circuit_openings_total: {
    kind: 'counter',
    labels: ['replica'],
    help: 'How often that began',
  },
  svodka_replica_runs_total: {
    kind: 'counter',
    labels: ['replica', 'outcome'],
    help: 'Runs by replica, with the outcomes of `svodka_runs_total`; `none`: no replica could be used, or the execution was refused before one was chosen',
  },
  svodka_run_retries_total: {
    kind: 'counter',
    labels: ['replica', 'reason'],
    help: 'Runs made once more after they failed on this replica: `conflict` with replay, `transport`, `elsewhere` (it takes writes, is full, or its role lacks settings)',
  },
  svodka_runs_total: {
    kind: 'counter',
    labels: ['definition', 'outcome'],
    help: 'Runs of definitions on the replica: `ok`, `too_large`, `cancelled`, `unavailable`, `refused` (rate limited or overloaded), `spool_full` (no room for a slow reader, see `SPOOL_MAX_BYTES`), `timeout`, `error`',
  },
  svodka_run_duration_seconds: {
    kind: 'histogram',
    labels: ['definition'],
    help: 'Time of a run from when it had a place to its end; without those that had none',
    buckets: SECONDS,
  },
  svodka_admission_queue_length: {
    kind: 'gauge',
    help: 'Executions that wait for a slot, of all organizations',
  },
  svodka_admission_admitted_total: {
    kind: 'counter',
    help: 'Executions that got a slot',
  },
  svodka_run_queue_seconds: {
    kind: 'histogram',
    help: 'Wait of an execution for a slot, whether it got one or not',
    buckets: SECONDS,
  },
  svodka_run_rows_total: { kind: 'counter', labels: ['definition'], help: 'Rows read' },
  svodka_runs_spared_total: {
    kind: 'counter',
    labels: ['definition'],
    help: 'Runs not made because the same had failed seconds ago by its own doing',
  },
  svodka_key_checks_total: {
    kind: 'counter',
    labels: ['outcome'],
    help: 'Requests by their key: `valid`, `invalid`, `missing`, `locked` (below the tier), `unavailable` (no database of keys can tell), `invalid_row` (the access row of the organization is not valid)',
  },
  svodka_access_rows_invalid: {
    kind: 'gauge',
    help: 'Organizations whose access rows were not valid in the last minute, 100 at most; the log names them',
  },
  svodka_key_lookup_duration_seconds: {
    kind: 'histogram',
    help: 'Time of a key look-up query',
    buckets: SECONDS,
  },
  svodka_key_lookup_failures_total: { kind: 'counter', help: 'Key look-up queries that failed' },
  svodka_key_lookup_keys: {
    kind: 'histogram',
    help: 'Keys asked for in one look-up query',
    buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000],
  },
  svodka_key_database_usable: {
    kind: 'gauge',
    labels: ['replica'],
    help: '1 if keys can be looked up there: it is reached, and no further behind than `KEYS_MAX_LAG`; where all are 0, every answer is `access_unavailable`; NaN while unknown',
  },
  svodka_key_database_lag_seconds: {
    kind: 'gauge',
    labels: ['replica'],
    help: 'How far it is behind the primary, never understated; 0 for the primary, NaN while unknown',
  },
  svodka_key_database_circuit_open: {
    kind: 'gauge',
    labels: ['replica'],
    help: '1 while look-ups pass it by because the way there is broken',
  },
  svodka_build_info: {
    kind: 'gauge',
    labels: ['version', 'node_version', 'revision'],
    help: '1; what is running',
  },
  svodka_definitions_refused_total: {
    kind: 'counter',
    help: 'Definitions that could not be planned on the replica, each at its rehearsal; the log says why',
  },
  svodka_definitions_loaded: {
    kind: 'gauge',
    labels: ['kind'],
    help: 'Reports and business metrics in use, by `kind`: `report`, `metric`',
  },
  svodka_draining: { kind: 'gauge', help: '1 from the signal to stop on' },
  svodka_log_lines_dropped_total: {
    kind: 'counter',
    help: 'Lines of the log that were dropped, because the reader of stdout did not take them; the log says how many where it goes on',
  },
  svodka_process_errors_total: {
    kind: 'counter',
    help: 'Errors that nothing caught; each is a defect of the gateway',
  },
} as const satisfies Record<string, MetricSpec>

type MetricName = keyof typeof METRIC_TABLE

export type NameOf<Kind extends MetricSpec['kind']> = {
  [Name in MetricName]: (typeof METRIC_TABLE)[Name]['kind'] extends Kind ? Name : never
}[MetricName]
