/** Turns observations into Prometheus metrics, and exposes them. */
import { LRUCache } from 'lru-cache'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Gauges } from '../../model/gauges.ts'
import { EXECUTION_OUTCOMES, type Observation } from '../../model/observation.ts'
import { CACHE_OUTCOMES, type Clock, type Milliseconds } from '../../model/terms.ts'
import { createMoves } from './metric-moves.ts'
import { createReadings, type BuildInfo, type Reading } from './metric-readings.ts'
import {
  bucketsOf,
  labelValues,
  METRIC_NAMES,
  METRIC_TABLE,
  NO_NAME,
  type MetricName,
} from './metric-table.ts'

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
