/** The label sets that are known before anything happens: there from the first scrape, at 0. */
import { PROBLEMS, REFUSAL_REASONS } from '../../model/errors.ts'
import {
  CLOSE_REASONS,
  EVICTION_REASONS,
  KEY_OUTCOMES,
  POOLS,
  RETRY_REASONS,
  ROUTES,
  RUN_OUTCOMES,
} from '../../model/observation.ts'
import type { Route } from '../../model/observation.ts'
import { CACHE_OUTCOMES, REPORT_FORMATS } from '../../model/terms.ts'
import type { Instruments } from './instruments.ts'

/** The catalog's names, the only ones that become labels. */
export interface CatalogNames {
  /** Codes of reports. */
  readonly reports: readonly string[]
  /** `Definition.name` of reports and metrics files. */
  readonly definitions: readonly string[]
}

/** The label where a name is not the catalog's, or there is none. */
export const NO_NAME = 'none'

const PROBLEM_STATUSES = Object.values(PROBLEMS).map(({ status }) => status)
/** 499: the client left before its answer began. */
const STATUSES = [...new Set([200, 206, 304, 499, ...PROBLEM_STATUSES])]

/** What a report that exists can be answered with. */
const REPORT_STATUSES = [200, 206, 304, 400, 401, 402, 429, 499, 500, 503, 504]

/** All but what carries a name of the catalog's. */
export function startAtZero(instruments: Instruments): void {
  const { counter, gauge, histogram } = instruments
  for (const route of ROUTES) {
    startRequests(instruments, route, NO_NAME, STATUSES)
    counter('svodka_http_response_bytes_total').series({ route })
  }

  for (const code of Object.keys(PROBLEMS)) counter('svodka_problems_total').series({ code })
  for (const reason of REFUSAL_REASONS) {
    counter('svodka_requests_refused_total').series({ reason })
  }
  for (const result of CACHE_OUTCOMES) counter('svodka_cache_requests_total').series({ result })
  for (const format of REPORT_FORMATS) counter('svodka_report_answers_total').series({ format })
  for (const reason of EVICTION_REASONS) counter('svodka_cache_evictions_total').series({ reason })
  for (const reason of CLOSE_REASONS) {
    counter('svodka_http_connections_closed_total').series({ reason })
  }
  for (const outcome of KEY_OUTCOMES) counter('svodka_key_checks_total').series({ outcome })

  for (const pool of POOLS) {
    // knex takes the probe's connection for itself
    if (pool !== 'probe') histogram('svodka_db_pool_acquire_duration_seconds').series({ pool })
  }

  for (const kind of ['report', 'metric']) gauge('svodka_definitions_loaded').set({ kind }, 0)
}

/** What is told of each replica. */
export function startReplicasAtZero(
  { counter, gauge }: Instruments,
  replicas: readonly string[],
): void {
  for (const outcome of RUN_OUTCOMES) {
    for (const replica of [...replicas, NO_NAME]) {
      counter('svodka_replica_runs_total').series({ replica, outcome })
    }
  }
  for (const replica of replicas) startReplica({ counter, gauge }, replica)
}

function startReplica(
  { counter, gauge }: Pick<Instruments, 'counter' | 'gauge'>,
  replica: string,
): void {
  for (const pool of ['reports', 'probe']) {
    counter('svodka_db_connections_lost_total').series({ pool, replica })
  }
  for (const reason of RETRY_REASONS)
    counter('svodka_run_retries_total').series({ replica, reason })
  counter('svodka_replica_probe_failures_total').series({ replica })
  counter('svodka_replica_circuit_openings_total').series({ replica })
  for (const name of [
    'svodka_replica_up',
    'svodka_replica_probe_timestamp_seconds',
    'svodka_replica_circuit_open',
    'svodka_replica_role_can_write',
  ] as const) {
    gauge(name).set({ replica }, 0)
  }
  for (const name of [
    'svodka_replica_usable',
    'svodka_replica_in_recovery',
    'svodka_replica_replay_paused',
    'svodka_replica_lag_seconds',
    'svodka_replica_data_as_of_timestamp_seconds',
  ] as const) {
    gauge(name).set({ replica }, Number.NaN)
  }
}

/** Names that have their series already keep what was counted. */
export function startNamesAtZero(
  instruments: Instruments,
  { reports, definitions }: CatalogNames,
): void {
  const { counter, histogram } = instruments
  for (const report of reports) startRequests(instruments, 'report', report, REPORT_STATUSES)
  for (const definition of definitions) {
    for (const outcome of RUN_OUTCOMES) counter('svodka_runs_total').series({ definition, outcome })
    histogram('svodka_run_duration_seconds').series({ definition })
    counter('svodka_run_rows_total').series({ definition })
    counter('svodka_runs_spared_total').series({ definition })
  }
}

function startRequests(
  { counter, histogram }: Instruments,
  route: Route,
  report: string,
  statuses: readonly number[],
): void {
  const requests = counter('svodka_http_requests_total')
  for (const status of statuses) requests.series({ route, report, status })
  histogram('svodka_http_request_duration_seconds').series({ route, report })
}
