/** Turns observations into Prometheus metrics, and exposes them. */
import { LRUCache } from 'lru-cache'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Gauges } from '../../model/gauges.ts'
import { EXECUTION_OUTCOMES } from '../../model/observation.ts'
import type { Observation, Fact, ReplicaState } from '../../model/observation.ts'
import { CACHE_OUTCOMES, type Clock, type Milliseconds } from '../../model/terms.ts'
import { bucketsOf, createReadings, labelValues, METRIC_NAMES } from './metric-table.ts'
import { METRIC_TABLE, NO_NAME } from './metric-table.ts'
import type { BuildInfo, MetricName, Reading } from './metric-table.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** Node's gauges with the suffix `_total`, which Prometheus reserves for counters: `nodejs_active_handles_total`. */
const MISNAMED = ['handles', 'requests', 'resources']

/** Response statuses of an existing report. */
const REPORT_STATUSES = '200 206 304 400 401 402 429 499 500 503 504'.split(' ')

/** After as long without an execution of as many rows, the largest number is forgotten. */
const LARGEST_ROWS_MS: Milliseconds = 10 * 60_000

/**
 * A separate registry; the series of every known label set starts at 0. Node's default metrics hold an event-loop
 * monitor, so a process with metrics must end by `process.exit`.
 * @see https://github.com/siimon/prom-client/issues/494
 */
export function createMetrics(gauges: Gauges, buildInfo: BuildInfo, wall: Clock) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(`nodejs_active_${name}_total`)

  const expiry = { ttl: LARGEST_ROWS_MS, ttlResolution: 1000 }
  const largestRows = new LRUCache<string, number>({ max: 10_000, ...expiry })
  const readings = createReadings(gauges, largestRows, buildInfo)
  const metrics = new Map(
    METRIC_NAMES.map(name => [name, createMetric(name, registry, readings[name])]),
  )
  const moves = createMoves(move, largestRows, wall)
  /** Names of metrics, with label values. */
  const begun = new Set<string>()

  /** Adds to a counter, sets a gauge, observes a value of a histogram. */
  function move(name: MetricName, value: number, ...values: readonly string[]): void {
    const metric = metrics.get(name)
    const labels = labelsOf(name, values)
    if (metric instanceof Counter) metric.inc(labels, value)
    else if (metric instanceof Gauge) metric.set(labels, value)
    else metric?.observe(labels, value)
  }

  /** Begins the series of all combinations of label values that have none. */
  function begin(name: MetricName, ...lists: ReadonlyArray<readonly string[]>): void {
    let combinations: string[][] = [[]]
    for (const list of lists)
      combinations = combinations.flatMap(values => list.map(value => values.concat(value)))
    for (const values of combinations) {
      const series = [name, ...values].join('\n')
      if (begun.has(series)) continue
      begun.add(series)
      const metric = metrics.get(name)
      if (metric instanceof Histogram) metric.zero(labelsOf(name, values))
      else move(name, METRIC_TABLE[name].startValue, ...values)
    }
  }

  /** Those of new definitions begin, the others remain. */
  function beginKnown(): void {
    const all = gauges.definitions()
    const definition = all.map(({ name }) => name)
    for (const name of METRIC_NAMES) {
      if (readings[name] !== undefined) continue
      const lists = METRIC_TABLE[name].labels.map(
        label => labelValues(name, label) ?? (label === 'replica' ? gauges.replicas : definition),
      )
      begin(name, ...lists)
    }
    const reports = all.filter(({ maxRows }) => maxRows !== undefined).map(({ name }) => name)
    begin('svodka_http_requests_total', ['report'], reports, REPORT_STATUSES)
    begin('svodka_http_request_duration_seconds', ['report'], reports)
    begin('svodka_http_time_to_first_byte_seconds', ['report', 'metrics'], CACHE_OUTCOMES)
    begin('svodka_replica_runs_total', [NO_NAME], EXECUTION_OUTCOMES)
  }
  beginKnown()
  move('svodka_definitions_last_reload_successful', 1)

  return {
    /** Never throws: an observation that cannot be counted is counted as an error of the process. */
    observe(fact: Observation): void {
      try {
        if (fact.kind === 'definitions-loaded') beginKnown()
        moves[fact.kind]?.(fact as never)
      } catch {
        // why: an observation must not fail its request
        move('svodka_process_errors_total', 1)
      }
    },
    /** Prometheus text format 0.0.4 with its Content-Type. */
    exposition: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}

/** @param read of a gauge that is read at a scrape; other metrics are moved */
function createMetric(name: MetricName, registry: Registry, read?: Reading) {
  const { kind, help, labels } = METRIC_TABLE[name]
  const options = {
    name,
    help: help.replaceAll('`', ''),
    labelNames: labels,
    registers: [registry],
  }
  if (kind === 'counter') return new Counter(options)
  if (kind === 'histogram') return new Histogram({ ...options, buckets: bucketsOf(name) })
  const gauge: Gauge = new Gauge({ ...options, ...(read && { collect: () => collect(read) }) })
  /** If reading fails, the value is unknown; other metrics are not affected. */
  function collect(from: Reading): void {
    gauge.reset()
    try {
      const found = from()
      if (typeof found === 'number') return gauge.set(found)
      for (const [value, ...values] of found) gauge.set(labelsOf(name, values), value)
    } catch {
      if (labels.length === 0) gauge.set(Number.NaN)
    }
  }
  return gauge
}

function labelsOf(name: MetricName, values: readonly string[]): Record<string, string> {
  const { labels: names } = METRIC_TABLE[name]
  const labels: Record<string, string> = {}
  for (let at = 0; at < names.length; at += 1) labels[names[at]!] = values[at]!
  return labels
}

/** @param labels the values, in the order of the labels */
export type Move = (name: MetricName, value: number, ...labels: readonly string[]) => void

type Moves = { readonly [Kind in Observation['kind']]?: (fact: Fact<Kind>) => void }

/** @param largestRows the most rows of one execution lately, by `Definition.name` */
function createMoves(move: Move, largestRows: LRUCache<string, number>, wall: Clock): Moves {
  /** NaN if unknown, as while probes fail. */
  function moveState(replica: string, state: Partial<ReplicaState>): void {
    move('svodka_replica_usable', Number(state.usable), replica)
    move('svodka_replica_in_recovery', Number(state.inRecovery), replica)
    move('svodka_replica_replay_paused', Number(state.replayPaused), replica)
    move('svodka_replica_lag_seconds', Number(state.lagSeconds), replica)
  }

  return {
    request(fact) {
      const { route, report = NO_NAME, status, cache, problem, refusal, format, firstByteMs } = fact
      move('svodka_http_requests_total', 1, route, report, String(status))
      move('svodka_http_request_duration_seconds', fact.durationMs / 1000, route, report)
      move('svodka_http_response_bytes_total', fact.sentBytes, route)
      if (firstByteMs !== undefined) {
        const result = (problem === undefined && cache) || NO_NAME
        move('svodka_http_time_to_first_byte_seconds', firstByteMs / 1000, route, result)
      }
      if (fact.shortcut) move('svodka_http_shortcut_requests_total', 1)
      if (fact.aborted) move('svodka_http_client_aborts_total', 1)
      if (problem !== undefined) move('svodka_problems_total', 1, problem)
      if (refusal !== undefined) move('svodka_requests_refused_total', 1, refusal)
      if (format !== undefined) move('svodka_report_answers_total', 1, format)
      if (cache !== undefined) move('svodka_cache_requests_total', 1, cache)
      if (cache === 'stale' && fact.ageSeconds !== undefined)
        move('svodka_stale_response_age_seconds', fact.ageSeconds)
    },
    'connection-closed': ({ reason }) => move('svodka_http_connections_closed_total', 1, reason),
    'cache-evicted': ({ reason }) => move('svodka_cache_evictions_total', 1, reason),
    'key-checked': ({ outcome }) => move('svodka_key_checks_total', 1, outcome),
    'key-lookup'({ keyCount, durationMs, error }) {
      move('svodka_key_lookup_duration_seconds', durationMs / 1000)
      move('svodka_key_lookup_keys', keyCount)
      if (error !== undefined) move('svodka_key_lookup_failures_total', 1)
    },
    'connection-acquired': ({ pool, durationMs }) =>
      move('svodka_db_pool_acquire_duration_seconds', durationMs / 1000, pool),
    'connection-lost': ({ pool, replica = NO_NAME }) =>
      move('svodka_db_connections_lost_total', 1, pool, replica),
    'server-certificate'({ pool, replica = NO_NAME, expiresAt }) {
      const seconds = Date.parse(expiresAt) / 1000
      move('svodka_db_certificate_expiry_timestamp_seconds', seconds, pool, replica)
    },
    execution(fact) {
      const { definition, outcome, replica = NO_NAME, queueMs, durationMs, rowCount } = fact
      move('svodka_runs_total', 1, definition, outcome)
      move('svodka_replica_runs_total', 1, replica, outcome)
      move('svodka_run_queue_seconds', queueMs / 1000)
      move('svodka_run_rows_total', rowCount, definition)
      if (rowCount >= (largestRows.get(definition) ?? 0)) largestRows.set(definition, rowCount)
      if (durationMs === undefined) return
      move('svodka_admission_admitted_total', 1)
      move('svodka_run_duration_seconds', durationMs / 1000, definition)
    },
    'execution-retried': ({ replica, reason }) =>
      move('svodka_run_retries_total', 1, replica, reason),
    'execution-spared': ({ definition }) => move('svodka_runs_spared_total', 1, definition),
    'replica-probed'({ state, replica = NO_NAME }) {
      move('svodka_replica_up', 1, replica)
      move('svodka_replica_probe_timestamp_seconds', wall() / 1000, replica)
      const asOf = Date.parse(state.dataAsOf ?? '') / 1000
      move('svodka_replica_data_as_of_timestamp_seconds', asOf, replica)
      moveState(replica, state)
    },
    'replica-probe-failed'({ replica = NO_NAME }) {
      move('svodka_replica_up', 0, replica)
      move('svodka_replica_probe_failures_total', 1, replica)
      // why: a failed probe does not make the data older, so their instant stays
      moveState(replica, {})
    },
    circuit({ replica, isOpen }) {
      move('svodka_replica_circuit_open', Number(isOpen), replica)
      if (isOpen) move('svodka_replica_circuit_openings_total', 1, replica)
    },
    'write-privileges': ({ found, replica = NO_NAME }) =>
      move('svodka_replica_role_can_write', Number(found !== undefined), replica),
    'definitions-loaded'({ reportCount, metricCount }) {
      move('svodka_definitions_loaded', reportCount, 'report')
      move('svodka_definitions_loaded', metricCount, 'metric')
      move('svodka_definitions_last_reload_success_timestamp_seconds', wall() / 1000)
    },
    'definitions-reloaded'({ findings }) {
      move('svodka_definitions_last_reload_successful', Number(findings.length === 0))
      if (findings.length === 0)
        move('svodka_definitions_last_reload_success_timestamp_seconds', wall() / 1000)
    },
    draining: () => move('svodka_draining', 1),
    'log-line-dropped': () => move('svodka_log_lines_dropped_total', 1),
    'process-error': () => move('svodka_process_errors_total', 1),
  }
}
