/** What each fact moves. Labels come from closed sets and from the catalog's names alone. */
import type { Observation, Observe } from '../observation.ts'
import type { Clock } from '../terms.ts'
import type { Instruments } from './instruments.ts'
import { NO_NAME } from './start-at-zero.ts'

type Fact<Kind extends Observation['kind']> = Extract<Observation, { kind: Kind }>

/** The catalog's names that may be labels: codes of reports, and `Definition.name`. They only grow. */
export interface KnownNames {
  readonly reports: Set<string>
  readonly definitions: Set<string>
}

/** The observer of all metrics. A fact that it cannot count is counted as an error of the process. */
export function createCounting(instruments: Instruments, known: KnownNames, now: Clock): Observe {
  const count = createSwitch(instruments, known, now)
  const processErrors = instruments.counter('svodka_process_errors_total')
  return fact => {
    try {
      refuseBadNumbers(fact)
      count(fact)
    } catch {
      processErrors.inc()
    }
  }
}

/** A counter that takes NaN once is NaN for good. */
function refuseBadNumbers(fact: Observation): void {
  for (const [name, value] of Object.entries(fact)) {
    if (typeof value === 'number' && !(value >= 0 && Number.isFinite(value))) {
      throw new RangeError(`${fact.kind}.${name} is ${value}: expected a number from 0 on`)
    }
  }
}

function createSwitch(instruments: Instruments, known: KnownNames, now: Clock): Observe {
  const { counter, gauge, histogram } = instruments
  const countRequest = createRequests(instruments, known)
  const countRun = createRuns(instruments, known)
  const replica = createReplica(instruments, now)
  const keyChecks = counter('svodka_key_checks_total')
  const lookupDurations = histogram('svodka_key_lookup_duration_seconds')
  const lookupKeys = histogram('svodka_key_lookup_keys')
  const lookupFailures = counter('svodka_key_lookup_failures_total')
  const evictions = counter('svodka_cache_evictions_total')
  const acquired = histogram('svodka_db_pool_acquire_duration_seconds')
  const lost = counter('svodka_db_connections_lost_total')
  const definitionsLoaded = gauge('svodka_definitions_loaded')

  return fact => {
    switch (fact.kind) {
      case 'request':
        return countRequest(fact)
      case 'run':
        return countRun(fact)
      case 'replica-probed':
      case 'replica-probe-failed':
        return replica(fact)
      case 'key-checked':
        return keyChecks.inc({ outcome: fact.outcome })
      case 'key-lookup':
        lookupDurations.observe(fact.durationMs / 1000)
        lookupKeys.observe(fact.keyCount)
        if (fact.error !== undefined) lookupFailures.inc()
        return
      case 'cache-evicted':
        return evictions.inc({ reason: fact.reason })
      case 'connection-acquired':
        return acquired.observe({ pool: fact.pool }, fact.durationMs / 1000)
      case 'connection-lost':
        return lost.inc({ pool: fact.pool })
      case 'definitions-loaded':
        definitionsLoaded.set({ kind: 'report' }, fact.reportCount)
        return definitionsLoaded.set({ kind: 'metric' }, fact.metricCount)
      case 'draining':
        return gauge('svodka_draining').set(1)
      case 'process-error':
        return counter('svodka_process_errors_total').inc()
      case 'definition-refused':
        return counter('svodka_definitions_refused_total').inc()
      case 'listening':
      case 'stopped':
        return
    }
  }
}

function createRequests({ counter, histogram }: Instruments, { reports }: KnownNames) {
  const requests = counter('svodka_http_requests_total')
  const durations = histogram('svodka_http_request_duration_seconds')
  const sentBytes = counter('svodka_http_response_bytes_total')
  const aborts = counter('svodka_http_client_aborts_total')
  const problems = counter('svodka_problems_total')
  const cacheRequests = counter('svodka_cache_requests_total')

  return (fact: Fact<'request'>): void => {
    const { route, status, problem, cache } = fact
    const report = fact.report !== undefined && reports.has(fact.report) ? fact.report : NO_NAME
    requests.inc({ route, report, status })
    durations.observe({ route, report }, fact.durationMs / 1000)
    sentBytes.inc({ route }, fact.sentBytes)
    if (fact.aborted) aborts.inc()
    if (problem !== undefined) problems.inc({ code: problem })
    if (cache !== undefined) cacheRequests.inc({ result: cache })
  }
}

function createRuns({ counter, histogram }: Instruments, { definitions }: KnownNames) {
  const runs = counter('svodka_runs_total')
  const durations = histogram('svodka_run_duration_seconds')
  const queued = histogram('svodka_run_queue_seconds')
  const rows = counter('svodka_run_rows_total')

  return (fact: Fact<'run'>): void => {
    const definition = definitions.has(fact.definition) ? fact.definition : NO_NAME
    runs.inc({ definition, outcome: fact.outcome })
    durations.observe({ definition }, fact.durationMs / 1000)
    queued.observe(fact.queueMs / 1000)
    rows.inc({ definition }, fact.rowCount)
  }
}

function createReplica({ counter, gauge }: Instruments, now: Clock) {
  const up = gauge('svodka_replica_up')
  const usable = gauge('svodka_replica_usable')
  const inRecovery = gauge('svodka_replica_in_recovery')
  const replayPaused = gauge('svodka_replica_replay_paused')
  const lag = gauge('svodka_replica_lag_seconds')
  const dataAsOf = gauge('svodka_replica_data_as_of_timestamp_seconds')
  const probed = gauge('svodka_replica_probe_timestamp_seconds')
  const failures = counter('svodka_replica_probe_failures_total')

  return (fact: Fact<'replica-probed' | 'replica-probe-failed'>): void => {
    if (fact.kind === 'replica-probe-failed') {
      failures.inc()
      up.set(0)
      // What the data were last known to be as new as stays true; the rest is not known any more.
      for (const unknown of [usable, inRecovery, replayPaused, lag]) unknown.set(Number.NaN)
      return
    }
    const { state } = fact
    up.set(1)
    usable.set(state.usable ? 1 : 0)
    inRecovery.set(state.inRecovery ? 1 : 0)
    replayPaused.set(state.replayPaused ? 1 : 0)
    lag.set(state.lagSeconds ?? Number.NaN)
    dataAsOf.set(state.dataAsOf === undefined ? Number.NaN : Date.parse(state.dataAsOf) / 1000)
    probed.set(now() / 1000)
  }
}
