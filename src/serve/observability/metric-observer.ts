/** Observations to metrics. Labels come from closed sets and from the catalog's names only. */
import type { Counter } from 'prom-client'
import { PROBLEMS } from '../../model/errors.ts'
import { KEY_OUTCOMES, ROUTES } from '../../model/observation.ts'
import type { Observation, Observe } from '../../model/observation.ts'
import type { Clock } from '../../model/terms.ts'
import type { Instruments } from './instruments.ts'
import { NO_NAME } from './metric-table.ts'

type Fact<Kind extends Observation['kind']> = Extract<Observation, { kind: Kind }>

/** The catalog's names that may be labels: codes of reports, and `Definition.name`. They may grow. */
export interface KnownNames {
  readonly reports: ReadonlySet<string>
  readonly definitions: ReadonlySet<string>
}

export interface MetricObserver {
  /** Never throws: a fact that cannot be counted is counted as an error of the process. */
  readonly observe: Observe
  /** Gives prom-client what was counted since the last scrape. */
  readonly flush: () => void
}

const STATE_GAUGES = [
  'svodka_replica_usable',
  'svodka_replica_in_recovery',
  'svodka_replica_replay_paused',
  'svodka_replica_lag_seconds',
] as const

/** Whether its numbers are amounts and its words known: a counter that took NaN stays NaN, and words become labels. */
function isCountable(fact: Observation): boolean {
  switch (fact.kind) {
    // why: hits make these two; a walk over their fields takes longer than to count them
    case 'request':
      return (
        fact.status >= 100 &&
        fact.status <= 999 &&
        Number.isInteger(fact.status) &&
        isAmount(fact.durationMs) &&
        isAmount(fact.sentBytes) &&
        ROUTES.includes(fact.route) &&
        (fact.problem === undefined || fact.problem in PROBLEMS)
      )
    case 'key-checked':
      return KEY_OUTCOMES.includes(fact.outcome)
    // why: offsets west of Greenwich are below 0
    case 'time-zone-differs':
      return true
    default:
      return Object.values(fact).every(value => typeof value !== 'number' || isAmount(value))
  }
}

function isAmount(value: number): boolean {
  return value >= 0 && value < Infinity
}

export function createMetricObserver(
  metrics: Instruments,
  names: KnownNames,
  now: Clock,
): MetricObserver {
  const { reports, definitions } = names
  const definitionOf = ({ definition }: { readonly definition: string }): string =>
    definitions.has(definition) ? definition : NO_NAME
  /** Replicas with an open or half-open circuit breaker. */
  const openReplicas = new Set<string>()

  const requests = createTally()
  const sentBytes = createTally()
  const cacheRequests = createTally()
  const formats = createTally()
  const keyChecks = createTally()

  function countRequest(fact: Fact<'request'>): void {
    const { route, status, problem, refusal, cache, format } = fact
    const report = fact.report !== undefined && reports.has(fact.report) ? fact.report : NO_NAME
    ofValue(ofValue(ofValue(requests, route), report), status).count += 1
    const seconds = fact.durationMs / 1000
    metrics.svodka_http_request_duration_seconds.observe({ route, report }, seconds)
    ofValue(sentBytes, route).count += fact.sentBytes
    if (fact.shortcut) metrics.svodka_http_shortcut_requests_total.inc()
    if (fact.aborted) metrics.svodka_http_client_aborts_total.inc()
    if (problem !== undefined) metrics.svodka_problems_total.inc({ code: problem })
    if (refusal !== undefined) metrics.svodka_requests_refused_total.inc({ reason: refusal })
    if (cache !== undefined) ofValue(cacheRequests, cache).count += 1
    if (format !== undefined) ofValue(formats, format).count += 1
  }

  function countRun(fact: Fact<'run'>): void {
    const definition = definitionOf(fact)
    const { outcome, replica = NO_NAME, durationMs, queueMs, rowCount } = fact
    metrics.svodka_runs_total.inc({ definition, outcome })
    metrics.svodka_replica_runs_total.inc({ replica, outcome })
    if (durationMs !== undefined) {
      metrics.svodka_admission_admitted_total.inc()
      metrics.svodka_run_duration_seconds.observe({ definition }, durationMs / 1000)
    }
    metrics.svodka_run_queue_seconds.observe(queueMs / 1000)
    metrics.svodka_run_rows_total.inc({ definition }, rowCount)
  }

  function countCircuit({ replica, state }: Fact<'circuit'>): void {
    if (state === 'open' && !openReplicas.has(replica)) {
      metrics.svodka_replica_circuit_openings_total.inc({ replica })
    }
    if (state === 'closed') openReplicas.delete(replica)
    else openReplicas.add(replica)
    metrics.svodka_replica_circuit_open.set({ replica }, Number(openReplicas.has(replica)))
  }

  function showProbe({ state, replica = NO_NAME }: Fact<'replica-probed'>): void {
    const { lagSeconds = Number.NaN, dataAsOf } = state
    metrics.svodka_replica_up.set({ replica }, 1)
    metrics.svodka_replica_usable.set({ replica }, Number(state.usable))
    metrics.svodka_replica_in_recovery.set({ replica }, Number(state.inRecovery))
    metrics.svodka_replica_replay_paused.set({ replica }, Number(state.replayPaused))
    metrics.svodka_replica_lag_seconds.set({ replica }, lagSeconds)
    const dataAsOfMs = dataAsOf === undefined ? Number.NaN : Date.parse(dataAsOf)
    metrics.svodka_replica_data_as_of_timestamp_seconds.set({ replica }, dataAsOfMs / 1000)
    metrics.svodka_replica_probe_timestamp_seconds.set({ replica }, now() / 1000)
  }

  /** The data stay as new as they were known to be; the rest is unknown. */
  function showProbeFailure({ replica = NO_NAME }: Fact<'replica-probe-failed'>): void {
    metrics.svodka_replica_probe_failures_total.inc({ replica })
    metrics.svodka_replica_up.set({ replica }, 0)
    for (const name of STATE_GAUGES) metrics[name].set({ replica }, Number.NaN)
  }

  const count: Observe = fact => {
    switch (fact.kind) {
      case 'request':
        return countRequest(fact)
      case 'key-checked':
        ofValue(keyChecks, fact.outcome).count += 1
        return
      case 'connection-closed':
        return metrics.svodka_http_connections_closed_total.inc({ reason: fact.reason })
      case 'key-lookup':
        metrics.svodka_key_lookup_duration_seconds.observe(fact.durationMs / 1000)
        metrics.svodka_key_lookup_keys.observe(fact.keyCount)
        if (fact.error !== undefined) metrics.svodka_key_lookup_failures_total.inc()
        return
      case 'connection-acquired': {
        const { pool, durationMs } = fact
        return metrics.svodka_db_pool_acquire_duration_seconds.observe({ pool }, durationMs / 1000)
      }
      case 'run':
        return countRun(fact)
      case 'run-spared':
        return metrics.svodka_runs_spared_total.inc({ definition: definitionOf(fact) })
      case 'run-retried': {
        const { replica, reason } = fact
        return metrics.svodka_run_retries_total.inc({ replica, reason })
      }
      case 'replica-probed':
        return showProbe(fact)
      case 'replica-probe-failed':
        return showProbeFailure(fact)
      case 'circuit':
        return countCircuit(fact)
      case 'write-privileges': {
        const { found, replica = NO_NAME } = fact
        return metrics.svodka_replica_role_can_write.set({ replica }, Number(found !== undefined))
      }
      case 'cache-evicted':
        return metrics.svodka_cache_evictions_total.inc({ reason: fact.reason })
      case 'connection-lost': {
        const { pool, replica = NO_NAME } = fact
        return metrics.svodka_db_connections_lost_total.inc({ pool, replica })
      }
      case 'definitions-loaded':
        metrics.svodka_definitions_loaded.set({ kind: 'report' }, fact.reportCount)
        return metrics.svodka_definitions_loaded.set({ kind: 'metric' }, fact.metricCount)
      case 'draining':
        return metrics.svodka_draining.set(1)
      case 'process-error':
        return metrics.svodka_process_errors_total.inc()
      case 'log-line-dropped':
        return metrics.svodka_log_lines_dropped_total.inc()
      case 'definition-refused':
        return metrics.svodka_definitions_refused_total.inc()
      case 'dates-nulled':
      case 'listening':
      case 'stopped':
      case 'pooler-met':
      case 'access-row-rejected':
      case 'access-check-failed':
      case 'time-zone-differs':
        return
    }
  }

  return {
    observe(fact) {
      try {
        if (isCountable(fact)) return count(fact)
      } catch {
        // why: an observation must not harm its request; it is counted below
      }
      metrics.svodka_process_errors_total.inc()
    },
    flush() {
      flushTally(requests, metrics.svodka_http_requests_total, ['route', 'report', 'status'])
      flushTally(sentBytes, metrics.svodka_http_response_bytes_total, ['route'])
      flushTally(cacheRequests, metrics.svodka_cache_requests_total, ['result'])
      flushTally(formats, metrics.svodka_report_answers_total, ['format'])
      flushTally(keyChecks, metrics.svodka_key_checks_total, ['outcome'])
    },
  }
}

/**
 * What each hit counts, in plain numbers until the scrape.
 * why: prom-client builds a string of the labels at each count, see `decisions/0016-hits-count-in-plain-numbers.md`
 */
interface Tally {
  count: number
  readonly byValue: Map<string | number, Tally>
}

function createTally(): Tally {
  return { count: 0, byValue: new Map() }
}

/** @returns the tally of the value of the next label */
function ofValue({ byValue }: Tally, value: string | number): Tally {
  let tally = byValue.get(value)
  if (tally === undefined) byValue.set(value, (tally = createTally()))
  return tally
}

function flushTally(
  tally: Tally,
  counter: Counter,
  [label = '', ...others]: readonly string[],
  labels: Readonly<Record<string, string | number>> = {},
): void {
  if (tally.count > 0) counter.inc(labels, tally.count)
  tally.count = 0
  for (const [value, next] of tally.byValue) {
    flushTally(next, counter, others, { ...labels, [label]: value })
  }
}
