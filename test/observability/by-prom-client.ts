/**
 * The same counting by prom-client's own counters and histograms: slow, and what the exposition has to
 * look like. It knows the table of metrics and nothing else of how ours counts.
 */
import { Counter, Histogram, Registry } from 'prom-client'
import { PROBLEMS, REFUSAL_REASONS } from '../../src/errors.ts'
import type { Observation } from '../../src/observation.ts'
import {
  CLOSE_REASONS,
  KEY_OUTCOMES,
  RETRY_REASONS,
  ROUTES,
  RUN_OUTCOMES,
} from '../../src/observation.ts'
import type { MetricSpec } from '../../src/observability/metric-table.ts'
import { METRIC_TABLE } from '../../src/observability/metric-table.ts'
import type { CatalogNames } from '../../src/observability/start-at-zero.ts'
import { CACHE_OUTCOMES, REPORT_FORMATS } from '../../src/terms.ts'

const PROBLEM_STATUSES = Object.values(PROBLEMS).map(({ status }) => status)
const STATUSES = new Set([200, 206, 304, 499, ...PROBLEM_STATUSES])
const REPORT_STATUSES = [200, 206, 304, 400, 401, 402, 429, 499, 500, 503, 504]

/** As in `scrape.ts`. */
const replica = 'one:5432'

export interface ByPromClient {
  observe(fact: Observation): void
  addNames(names: CatalogNames): void
  /** Counters and histograms; gauges are left out. */
  text(): Promise<string>
}

export function createByPromClient(): ByPromClient {
  const registry = new Registry()
  const counters = new Map<string, Counter>()
  const histograms = new Map<string, Histogram>()
  const table: [string, MetricSpec][] = Object.entries(METRIC_TABLE)
  for (const [name, { kind, help, labels: labelNames = [], buckets = [] }] of table) {
    const options = { name, help: help.replaceAll('`', ''), labelNames, registers: [registry] }
    if (kind === 'counter') counters.set(name, new Counter(options))
    if (kind === 'histogram') {
      histograms.set(name, new Histogram({ ...options, buckets: [...buckets] }))
    }
  }
  const counter = (name: string): Counter => counters.get(`svodka_${name}`) as Counter
  const histogram = (name: string): Histogram => histograms.get(`svodka_${name}`) as Histogram

  const startRequests = (route: string, report: string, statuses: Iterable<number>): void => {
    for (const status of statuses) {
      counter('http_requests_total').inc({ route, report, status }, 0)
    }
    histogram('http_request_duration_seconds').zero({ route, report })
  }
  for (const route of ROUTES) {
    startRequests(route, 'none', STATUSES)
    counter('http_response_bytes_total').inc({ route }, 0)
  }
  for (const code of Object.keys(PROBLEMS)) counter('problems_total').inc({ code }, 0)
  for (const reason of REFUSAL_REASONS) counter('requests_refused_total').inc({ reason }, 0)
  for (const result of CACHE_OUTCOMES) counter('cache_requests_total').inc({ result }, 0)
  for (const format of REPORT_FORMATS) counter('report_answers_total').inc({ format }, 0)
  for (const reason of ['space', 'share', 'expired']) {
    counter('cache_evictions_total').inc({ reason }, 0)
  }
  for (const reason of CLOSE_REASONS) counter('http_connections_closed_total').inc({ reason }, 0)
  for (const outcome of KEY_OUTCOMES) counter('key_checks_total').inc({ outcome }, 0)
  for (const pool of ['reports', 'keys'])
    histogram('db_pool_acquire_duration_seconds').zero({ pool })
  for (const outcome of RUN_OUTCOMES) {
    counter('replica_runs_total').inc({ replica, outcome }, 0)
    counter('replica_runs_total').inc({ replica: 'none', outcome }, 0)
  }
  for (const pool of ['reports', 'probe']) {
    counter('db_connections_lost_total').inc({ pool, replica }, 0)
  }
  for (const reason of RETRY_REASONS) counter('run_retries_total').inc({ replica, reason }, 0)
  counter('replica_probe_failures_total').inc({ replica }, 0)
  counter('replica_circuit_openings_total').inc({ replica }, 0)

  const reports = new Set<string>()
  const definitions = new Set<string>()
  const count = (fact: Observation): void => {
    if (fact.kind === 'request') {
      const { route, status, problem, refusal, cache, format } = fact
      const report = reports.has(fact.report ?? '') ? (fact.report ?? '') : 'none'
      counter('http_requests_total').inc({ route, report, status })
      histogram('http_request_duration_seconds').observe({ route, report }, fact.durationMs / 1000)
      counter('http_response_bytes_total').inc({ route }, fact.sentBytes)
      if (fact.shortcut) counter('http_shortcut_requests_total').inc()
      if (fact.aborted) counter('http_client_aborts_total').inc()
      if (problem !== undefined) counter('problems_total').inc({ code: problem })
      if (refusal !== undefined) counter('requests_refused_total').inc({ reason: refusal })
      if (cache !== undefined) counter('cache_requests_total').inc({ result: cache })
      if (format !== undefined) counter('report_answers_total').inc({ format })
    }
    if (fact.kind === 'run') {
      const definition = definitions.has(fact.definition) ? fact.definition : 'none'
      counter('runs_total').inc({ definition, outcome: fact.outcome })
      counter('replica_runs_total').inc({ replica: fact.replica ?? 'none', outcome: fact.outcome })
      if (fact.durationMs !== undefined) {
        counter('admission_admitted_total').inc()
        histogram('run_duration_seconds').observe({ definition }, fact.durationMs / 1000)
      }
      histogram('run_queue_seconds').observe(fact.queueMs / 1000)
      counter('run_rows_total').inc({ definition }, fact.rowCount)
    }
    if (fact.kind === 'key-checked') counter('key_checks_total').inc({ outcome: fact.outcome })
    if (fact.kind === 'key-lookup') {
      histogram('key_lookup_duration_seconds').observe(fact.durationMs / 1000)
      histogram('key_lookup_keys').observe(fact.keyCount)
      if (fact.error !== undefined) counter('key_lookup_failures_total').inc()
    }
    if (fact.kind === 'connection-acquired') {
      const { pool, durationMs } = fact
      histogram('db_pool_acquire_duration_seconds').observe({ pool }, durationMs / 1000)
    }
  }

  return {
    observe(fact) {
      const numbers = Object.values(fact).filter(value => typeof value === 'number')
      if (numbers.every(value => value >= 0 && Number.isFinite(value))) count(fact)
      else counter('process_errors_total').inc()
    },
    addNames(names) {
      for (const report of names.reports.filter(name => !reports.has(name))) {
        reports.add(report)
        startRequests('report', report, REPORT_STATUSES)
      }
      for (const definition of names.definitions.filter(name => !definitions.has(name))) {
        definitions.add(definition)
        for (const outcome of RUN_OUTCOMES) counter('runs_total').inc({ definition, outcome }, 0)
        histogram('run_duration_seconds').zero({ definition })
        counter('run_rows_total').inc({ definition }, 0)
        counter('runs_spared_total').inc({ definition }, 0)
      }
    },
    text: () => registry.metrics(),
  }
}
