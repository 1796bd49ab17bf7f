/** How each observation changes metrics: adds to counters, sets gauges, observes values of histograms. */
import type { LRUCache } from 'lru-cache'
import type { Fact, Observation, ReplicaState } from '../../model/observation.ts'
import type { Clock } from '../../model/terms.ts'
import { NO_NAME, type MetricName } from './metric-table.ts'

/** @param labels the values, in the order of the labels */
export type Move = (name: MetricName, value: number, ...labels: readonly string[]) => void

type Moves = { readonly [Kind in Observation['kind']]?: (fact: Fact<Kind>) => void }

/** @param largestRows the most rows of one execution lately, by `Definition.name` */
export function createMoves(move: Move, largestRows: LRUCache<string, number>, wall: Clock): Moves {
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
