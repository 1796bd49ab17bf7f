/** Turns observations into Prometheus metrics, and exposes them. */
import { LRUCache } from 'lru-cache'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Gauges } from '../../model/gauges.ts'
import { EXECUTION_OUTCOMES } from '../../model/observation.ts'
import type { Observation } from '../../model/observation.ts'
import { CACHE_OUTCOMES } from '../../model/terms.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { createMetric } from './metric.ts'
import type { Metric } from './metric.ts'
import { createMoves } from './metric-moves.ts'
import type { Move } from './metric-moves.ts'
import { createReadings } from './metric-readings.ts'
import type { BuildInfo } from './metric-readings.ts'
import { labelValues, METRIC_NAMES, METRIC_TABLE, NO_NAME } from './metric-table.ts'
import type { MetricName } from './metric-table.ts'

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
  const created = METRIC_NAMES.map(name => [name, createMetric(name, registry, readings[name])])
  const metrics = Object.fromEntries(created) as Record<MetricName, Metric>
  const move: Move = (name, value, ...labels) => metrics[name].move(value, labels)
  const moves = createMoves(move, largestRows, wall)

  /** Those of new definitions begin, the others remain. */
  function startKnown(): void {
    const all = gauges.definitions()
    const definition = all.map(({ name }) => name)
    for (const name of METRIC_NAMES) {
      if (readings[name] !== undefined) continue
      const lists = METRIC_TABLE[name].labels.map(
        label => labelValues(name, label) ?? (label === 'replica' ? gauges.replicas : definition),
      )
      metrics[name].start(...lists)
    }
    const reports = all.filter(({ maxRows }) => maxRows !== undefined).map(({ name }) => name)
    metrics.svodka_http_requests_total.start(['report'], reports, REPORT_STATUSES)
    metrics.svodka_http_request_duration_seconds.start(['report'], reports)
    metrics.svodka_http_time_to_first_byte_seconds.start(['report', 'metrics'], CACHE_OUTCOMES)
    metrics.svodka_replica_runs_total.start([NO_NAME], EXECUTION_OUTCOMES)
  }
  startKnown()
  move('svodka_definitions_last_reload_successful', 1)

  return {
    /** Never throws: an observation that cannot be counted is counted as an error of the process. */
    observe(fact: Observation): void {
      try {
        if (fact.kind === 'definitions-loaded') startKnown()
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
