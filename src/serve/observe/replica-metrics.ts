/** Metrics of replicas, of executions on them, and of the process. No organization, SQL or error text is a label. */
import { RETRY_REASONS, EXECUTION_OUTCOMES } from '../../model/observation.ts'
import type { ReplicaState } from '../../model/observation.ts'
import { counter, gauge, histogram, NO_NAME, reading, readings } from './metric.ts'
import type { MetricSpec } from './metric.ts'

const OF_REPLICA = { replica: 'replicas' } as const
const OF_DEFINITION = { definition: 'definitions' } as const

export const REPLICA_METRICS = {
  svodka_replica_up: gauge(
    '1 if the last probe succeeded, 0 if it failed or before the first',
    OF_REPLICA,
    {
      'replica-probed': ({ replica = NO_NAME }, set) => set(1, replica),
      'replica-probe-failed': ({ replica = NO_NAME }, set) => set(0, replica),
    },
  ),
  svodka_replica_usable: ofState(
    '1 if reports may execute: in recovery, or writable and allowed; NaN while unknown',
    ({ usable }) => Number(usable),
  ),
  svodka_replica_in_recovery: ofState(
    '1 on a hot standby, 0 on a writable server, NaN while unknown',
    ({ inRecovery }) => Number(inRecovery),
  ),
  svodka_replica_role_can_write: gauge(
    '1 if the role of reports has write privileges, which the log names with the SQL that revokes them; 0 if not or before its first connection',
    OF_REPLICA,
    {
      'write-privileges': ({ found, replica = NO_NAME }, set) =>
        set(Number(found !== undefined), replica),
    },
  ),
  svodka_replica_replay_paused: ofState(
    '1 while replay is paused, NaN while unknown',
    ({ replayPaused }) => Number(replayPaused),
  ),
  svodka_replica_lag_seconds: ofState(
    'How far behind the primary, never understated; NaN while unknown',
    ({ lagSeconds = Number.NaN }) => lagSeconds,
  ),
  // why: a failed probe does not make the data older
  svodka_replica_data_as_of_timestamp_seconds: gauge(
    'The data are at least as new as this; NaN while unknown',
    OF_REPLICA,
    {
      'replica-probed': ({ state: { dataAsOf }, replica = NO_NAME }, set) =>
        set(dataAsOf === undefined ? Number.NaN : Date.parse(dataAsOf) / 1000, replica),
    },
    Number.NaN,
  ),
  svodka_replica_probe_timestamp_seconds: gauge(
    'When a probe last succeeded, 0 before the first',
    OF_REPLICA,
    { 'replica-probed': ({ replica = NO_NAME }, set, { wall }) => set(wall() / 1000, replica) },
  ),
  svodka_replica_probe_failures_total: counter('Failed probes', OF_REPLICA, {
    'replica-probe-failed': ({ replica = NO_NAME }, add) => add(1, replica),
  }),
  svodka_replica_circuit_open: gauge(
    '1 while the circuit breaker is open or half-open',
    OF_REPLICA,
    { circuit: ({ replica, state }, set) => set(Number(state !== 'closed'), replica) },
  ),
  svodka_replica_circuit_openings_total: counter(
    'How often the circuit breaker opened',
    OF_REPLICA,
    {
      circuit({ replica, state }, add, { openReplicas }) {
        if (state === 'open' && !openReplicas.has(replica)) add(1, replica)
        if (state === 'closed') openReplicas.delete(replica)
        else openReplicas.add(replica)
      },
    },
  ),
  svodka_replica_runs_total: counter(
    'Executions by replica, with the outcomes of `svodka_runs_total`; `none`: no replica could be used, or the execution was refused before one was chosen',
    { replica: 'replicasOrNone', outcome: EXECUTION_OUTCOMES },
    { execution: ({ replica = NO_NAME, outcome }, add) => add(1, replica, outcome) },
  ),
  svodka_run_retries_total: counter(
    'Executions retried after they failed on this replica: `conflict` with replay, `transport`, `elsewhere` (it is writable or full, or its role lacks settings)',
    { replica: 'replicas', reason: RETRY_REASONS },
    { 'execution-retried': ({ replica, reason }, add) => add(1, replica, reason) },
  ),
  svodka_runs_total: counter(
    'Executions of definitions on the replica: `ok`, `too_large`, `cancelled`, `unavailable`, `refused` (rate limited), `queue_timeout` (no slot in time), `spool_full` (spill files are full, see `SPOOL_MAX_BYTES`), `timeout`, `error`',
    { definition: 'definitions', outcome: EXECUTION_OUTCOMES },
    {
      execution: ({ definition, outcome }, add, { definitionOf }) =>
        add(1, definitionOf(definition), outcome),
    },
  ),
  svodka_run_duration_seconds: histogram(
    'Time of an execution from its slot to its end; without those that got none',
    OF_DEFINITION,
    {
      execution: ({ definition, durationMs }, observe, { definitionOf }) =>
        durationMs !== undefined && observe(durationMs / 1000, definitionOf(definition)),
    },
  ),
  svodka_busiest_organization_ratio: reading(
    'The largest part, 0 to 1, of all execution time in the last minute that one organization has; `/organizations` names it',
    gauges => gauges.busiestRatio(),
  ),
  svodka_admission_queue_length: reading(
    'Executions that wait for a slot, of all organizations',
    gauges => gauges.queueLength(),
  ),
  svodka_admission_admitted_total: counter(
    'Executions that got a slot',
    {},
    { execution: ({ durationMs }, add) => durationMs !== undefined && add(1) },
  ),
  svodka_run_queue_seconds: histogram(
    'Wait of an execution for a slot, whether it got one or not',
    {},
    { execution: ({ queueMs }, observe) => observe(queueMs / 1000) },
  ),
  svodka_run_rows_total: counter('Rows read', OF_DEFINITION, {
    execution: ({ definition, rowCount }, add, { definitionOf }) =>
      add(rowCount, definitionOf(definition)),
  }),
  svodka_runs_spared_total: counter(
    'Executions that the negative cache saved: the same had failed seconds ago',
    OF_DEFINITION,
    {
      'execution-spared': ({ definition }, add, { definitionOf }) =>
        add(1, definitionOf(definition)),
    },
  ),
  svodka_build_info: readings(
    'Always 1; the labels have the versions of svodka and Node and the revision, which `make build` takes from git or from `make build SVODKA_REVISION=...`',
    { version: [], node_version: [], revision: [] },
    (_, { buildInfo: { version, revision = 'unknown' } }) => [
      [1, version, process.version, revision],
    ],
  ),
  svodka_definitions_refused: reading(
    'Definitions that the last dry run could not plan on the replica, or the access query; the log has the error',
    gauges => gauges.refusedDefinitionCount(),
  ),
  svodka_definition_timeout_seconds: readings(
    'Limit of the time that an execution waits for the replica',
    { definition: [] },
    gauges => gauges.definitions().map(({ name, timeoutMs }) => [timeoutMs / 1000, name]),
  ),
  svodka_definition_max_rows: readings('Rows that a report may have', { definition: [] }, gauges =>
    gauges
      .definitions()
      .flatMap(({ name, maxRows }) => (maxRows === undefined ? [] : [[maxRows, name]])),
  ),
  svodka_definition_largest_rows: readings(
    'Most rows of one execution in the last 5 to 10 minutes, 0 without one',
    { definition: [] },
    (gauges, { largestRows }) =>
      gauges.definitions().map(({ name }) => [largestRows.of(name), name]),
    {
      execution: ({ definition, rowCount }, _, { definitionOf, largestRows }) =>
        largestRows.note(definitionOf(definition), rowCount),
    },
  ),
  svodka_definitions_loaded: gauge(
    'Reports and business metrics in use, by `kind`: `report`, `metric`',
    { kind: ['report', 'metric'] },
    {
      'definitions-loaded'({ reportCount, metricCount }, set) {
        set(reportCount, 'report')
        set(metricCount, 'metric')
      },
    },
  ),
  svodka_ready: readings(
    '1 if this check of `/readyz` is ok or degraded, 0 if it fails',
    { check: [] },
    gauges => gauges.checks().map(({ name, ok }) => [Number(ok), name]),
  ),
  svodka_definitions_last_reload_successful: gauge(
    '1 if the last reload succeeded or there was none; 0 if findings prevented it, which the log has',
    {},
    { 'definitions-reloaded': ({ findings }, set) => set(Number(findings.length === 0)) },
    1,
  ),
  svodka_definitions_last_reload_success_timestamp_seconds: gauge(
    'When definitions were last loaded or reloaded successfully',
    {},
    {
      'definitions-loaded': (_, set, { wall }) => set(wall() / 1000),
      'definitions-reloaded': ({ findings }, set, { wall }) =>
        findings.length === 0 && set(wall() / 1000),
    },
  ),
  svodka_draining: gauge('1 after the stop signal', {}, { draining: (_, set) => set(1) }),
  svodka_log_lines_dropped_total: counter(
    'Log lines that were dropped because the reader of stdout stalled; a line with their number follows',
    {},
    { 'log-line-dropped': (_, add) => add(1) },
  ),
  svodka_process_errors_total: counter(
    'Uncaught errors; each is a defect of the gateway',
    {},
    { 'process-error': (_, add) => add(1) },
  ),
}

/** A gauge of the probed state: NaN before the first probe and after a failed one. */
function ofState(help: string, valueOf: (state: ReplicaState) => number): MetricSpec {
  return gauge(
    help,
    OF_REPLICA,
    {
      'replica-probed': ({ state, replica = NO_NAME }, set) => set(valueOf(state), replica),
      'replica-probe-failed': ({ replica = NO_NAME }, set) => set(Number.NaN, replica),
    },
    Number.NaN,
  )
}
