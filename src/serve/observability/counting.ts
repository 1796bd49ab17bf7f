/** What each fact moves. Labels come from closed sets and from the catalog's names alone. */
import { CLOSE_REASONS, KEY_OUTCOMES } from '../../model/observation.ts'
import type { Observation, Observe } from '../../model/observation.ts'
import type { Clock } from '../../model/terms.ts'
import { observeIn } from './histogram.ts'
import type { Instruments } from './instruments.ts'
import { closedSet } from './label-sets.ts'
import { createRequestCounting } from './request-counting.ts'
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
  const processErrors = instruments.counter('svodka_process_errors_total').series({})
  return fact => {
    try {
      if (isSound(fact)) count(fact)
      else processErrors.value += 1
    } catch {
      processErrors.value += 1
    }
  }
}

/** Whether all its numbers can be counted: a counter that takes NaN once is NaN for good, and a status is a label. */
function isSound(fact: Observation): boolean {
  switch (fact.kind) {
    // The frequent ones name theirs, for a walk over the fields takes longer than to count them.
    case 'request':
      return isStatus(fact.status) && isAmount(fact.durationMs) && isAmount(fact.sentBytes)
    case 'key-checked':
    // why: offsets west of Greenwich are below 0
    case 'time-zone-differs':
      return true
    default:
      return Object.values(fact).every(value => typeof value !== 'number' || isAmount(value))
  }
}

function isStatus(value: number): boolean {
  return value >= 100 && value <= 999 && Number.isInteger(value)
}

function isAmount(value: number): boolean {
  return value >= 0 && value < Infinity
}

function createSwitch(instruments: Instruments, known: KnownNames, now: Clock): Observe {
  const { counter, gauge, histogram } = instruments
  const countRequest = createRequestCounting(instruments, known.reports)
  const countRun = createRuns(instruments, known)
  const replica = createReplica(instruments, now)
  const keyChecks = counter('svodka_key_checks_total')
  const keyChecksOf = closedSet(KEY_OUTCOMES, outcome => keyChecks.series({ outcome }))
  const closed = counter('svodka_http_connections_closed_total')
  const closedOf = closedSet(CLOSE_REASONS, reason => closed.series({ reason }))
  const lookupDurations = histogram('svodka_key_lookup_duration_seconds').series({})
  const lookupKeys = histogram('svodka_key_lookup_keys').series({})
  const lookupFailures = counter('svodka_key_lookup_failures_total')
  const evictions = counter('svodka_cache_evictions_total')
  const acquired = histogram('svodka_db_pool_acquire_duration_seconds')
  const spared = counter('svodka_runs_spared_total')
  const retries = counter('svodka_run_retries_total')
  const lost = counter('svodka_db_connections_lost_total')
  const droppedLines = counter('svodka_log_lines_dropped_total')
  const roleCanWrite = gauge('svodka_replica_role_can_write')
  const definitionsLoaded = gauge('svodka_definitions_loaded')

  return fact => {
    switch (fact.kind) {
      case 'request':
        return countRequest(fact)
      case 'key-checked':
        keyChecksOf(fact.outcome).value += 1
        return
      case 'connection-closed':
        closedOf(fact.reason).value += 1
        return
      case 'key-lookup':
        observeIn(lookupDurations, fact.durationMs / 1000)
        observeIn(lookupKeys, fact.keyCount)
        if (fact.error !== undefined) lookupFailures.inc()
        return
      case 'connection-acquired':
        return observeIn(acquired.series({ pool: fact.pool }), fact.durationMs / 1000)
      case 'run':
        return countRun(fact)
      case 'replica-probed':
      case 'replica-probe-failed':
      case 'circuit':
        return replica(fact)
      case 'write-privileges': {
        const { found, replica: name = NO_NAME } = fact
        return roleCanWrite.set({ replica: name }, found === undefined ? 0 : 1)
      }
      case 'run-spared': {
        const definition = known.definitions.has(fact.definition) ? fact.definition : NO_NAME
        return spared.inc({ definition })
      }
      case 'run-retried':
        return retries.inc({ replica: fact.replica, reason: fact.reason })
      case 'cache-evicted':
        return evictions.inc({ reason: fact.reason })
      case 'connection-lost':
        return lost.inc({ pool: fact.pool, replica: fact.replica ?? NO_NAME })
      case 'definitions-loaded':
        definitionsLoaded.set({ kind: 'report' }, fact.reportCount)
        return definitionsLoaded.set({ kind: 'metric' }, fact.metricCount)
      case 'draining':
        return gauge('svodka_draining').set(1)
      case 'process-error':
        return counter('svodka_process_errors_total').inc()
      case 'log-line-dropped':
        return droppedLines.inc()
      case 'definition-refused':
        return counter('svodka_definitions_refused_total').inc()
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
}

function createRuns({ counter, histogram }: Instruments, { definitions }: KnownNames) {
  const runs = counter('svodka_runs_total')
  const durations = histogram('svodka_run_duration_seconds')
  const queued = histogram('svodka_run_queue_seconds').series({})
  const admitted = counter('svodka_admission_admitted_total')
  const rows = counter('svodka_run_rows_total')
  const replicaRuns = counter('svodka_replica_runs_total')

  return (fact: Fact<'run'>): void => {
    const definition = definitions.has(fact.definition) ? fact.definition : NO_NAME
    runs.inc({ definition, outcome: fact.outcome })
    replicaRuns.inc({ replica: fact.replica ?? NO_NAME, outcome: fact.outcome })
    if (fact.durationMs !== undefined) {
      admitted.inc()
      observeIn(durations.series({ definition }), fact.durationMs / 1000)
    }
    observeIn(queued, fact.queueMs / 1000)
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

  const circuitOpen = gauge('svodka_replica_circuit_open')
  const openings = counter('svodka_replica_circuit_openings_total')
  /** Those whose circuit is open or half-open. */
  const open = new Set<string>()

  function countCircuit({ replica, state }: Fact<'circuit'>): void {
    if (state === 'open' && !open.has(replica)) openings.inc({ replica })
    if (state === 'closed') open.delete(replica)
    else open.add(replica)
    circuitOpen.set({ replica }, open.has(replica) ? 1 : 0)
  }

  return (fact: Fact<'replica-probed' | 'replica-probe-failed' | 'circuit'>): void => {
    if (fact.kind === 'circuit') return countCircuit(fact)
    const labels = { replica: fact.replica ?? NO_NAME }
    if (fact.kind === 'replica-probe-failed') {
      failures.inc(labels)
      up.set(labels, 0)
      // What the data were last known to be as new as stays true; the rest is not known any more.
      for (const unknown of [usable, inRecovery, replayPaused, lag]) unknown.set(labels, Number.NaN)
      return
    }
    const { state } = fact
    up.set(labels, 1)
    usable.set(labels, state.usable ? 1 : 0)
    inRecovery.set(labels, state.inRecovery ? 1 : 0)
    replayPaused.set(labels, state.replayPaused ? 1 : 0)
    lag.set(labels, state.lagSeconds ?? Number.NaN)
    const asOf = state.dataAsOf === undefined ? Number.NaN : Date.parse(state.dataAsOf) / 1000
    dataAsOf.set(labels, asOf)
    probed.set(labels, now() / 1000)
  }
}
