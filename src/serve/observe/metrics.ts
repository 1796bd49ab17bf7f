/** Turns observations into Prometheus metrics, and exposes them. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Gauges } from '../../model/gauges.ts'
import type { Observation } from '../../model/observation.ts'
import { monotonicClock } from '../../model/clock.ts'
import { CACHE_OUTCOMES } from '../../model/terms.ts'
import type { Clock } from '../../model/terms.ts'
import { createLargestRows } from './largest-rows.ts'
import { MOVES, PROBED_STATE } from './metric-moves.ts'
import type { MoveContext } from './metric-moves.ts'
import { createReadings } from './metric-readings.ts'
import type { BuildInfo } from './metric-readings.ts'
import { bucketsOf, labelValues, METRIC_TABLE, NO_NAME } from './metric-table.ts'
import type { MetricName } from './metric-table.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** Node's gauges with the suffix `_total`, which Prometheus reserves for counters: `nodejs_active_handles_total`. */
const MISNAMED = ['handles', 'requests', 'resources']

/** Response statuses of an existing report. */
const REPORT_STATUSES = '200 206 304 400 401 402 429 499 500 503 504'.split(' ')

/** Gauges of a state that is unknown before the first observation. */
const UNKNOWN_AT_START = new Set<MetricName>([
  ...PROBED_STATE,
  'svodka_replica_data_as_of_timestamp_seconds',
  'svodka_db_certificate_expiry_timestamp_seconds',
])

function startValue(name: MetricName): number {
  if (UNKNOWN_AT_START.has(name)) return Number.NaN
  return name === 'svodka_definitions_last_reload_successful' ? 1 : 0
}

type Labels = Record<string, string>
type Change = (labels: Labels, value: number) => void
/** Values of labels; the series of all combinations begin. */
type Series = Readonly<Record<string, readonly string[]>>

/**
 * A separate registry; the series of every known label set starts at 0. Node's default metrics hold an event-loop
 * monitor, so a process with metrics must end by `process.exit`.
 * @see https://github.com/siimon/prom-client/issues/494
 */
export function createMetrics(gauges: Gauges, buildInfo: BuildInfo, wall: Clock) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(`nodejs_active_${name}_total`)

  const names = Object.keys(METRIC_TABLE) as MetricName[]
  const largestRows = createLargestRows(monotonicClock)
  const readings = createReadings(gauges, largestRows, buildInfo)
  const context: MoveContext = { largestRows, wall }
  type Metric = ReturnType<typeof createMetric>
  const created = names.map(name => [name, createMetric(name)])
  const metrics = Object.fromEntries(created) as Record<MetricName, Metric>

  function createMetric(name: MetricName) {
    const { kind, help, labels: labelNames } = METRIC_TABLE[name]
    const plainHelp = help.replaceAll('`', '')
    const options = { name, help: plainHelp, labelNames, registers: [registry] }
    if (kind === 'counter') {
      const counter = new Counter(options)
      const add: Change = (labels, amount) => counter.inc(labels, amount)
      return { labelNames, move: add, start: (labels: Labels) => add(labels, 0) }
    }
    if (kind === 'histogram') {
      const histogram = new Histogram({ ...options, buckets: bucketsOf(name) })
      const record: Change = (labels, value) => histogram.observe(labels, value)
      return { labelNames, move: record, start: (labels: Labels) => histogram.zero(labels) }
    }
    const gauge = new Gauge({ ...options, ...(readings[name] && { collect }) })
    const set: Change = (labels, value) => gauge.set(labels, value)
    return { labelNames, move: set, start: (labels: Labels) => set(labels, startValue(name)) }

    /** If reading fails, the value is unknown; other metrics are not affected. */
    function collect(): void {
      gauge.reset()
      try {
        const found = readings[name]!()
        for (const [value, ...labels] of typeof found === 'number' ? [[found] as const] : found)
          move(name, value, ...labels)
      } catch {
        if (labelNames.length === 0) gauge.set(Number.NaN)
      }
    }
  }

  function move(
    name: MetricName,
    value: number,
    ...values: ReadonlyArray<string | undefined>
  ): void {
    const metric = metrics[name]
    const { labelNames } = metric
    // why: `labels()` of a metric costs a hit 0.25 us more, since it makes a function for each call
    const labels: Labels = {}
    for (let at = 0; at < labelNames.length; at += 1)
      labels[labelNames[at]!] = values[at] ?? NO_NAME
    metric.move(labels, value)
  }

  function startSeries(name: MetricName, series: Series): void {
    let sets: Labels[] = [{}]
    for (const [label, values] of Object.entries(series))
      sets = sets.flatMap(set => values.map(value => Object.assign({}, set, { [label]: value })))
    sets.forEach(metrics[name].start)
  }

  const started = names.filter(name => readings[name] === undefined)

  /** @param definitions those that are new */
  function startKnown(name: MetricName, definitions: readonly string[]): void {
    const { replicas } = gauges
    const replica = name === 'svodka_replica_runs_total' ? [...replicas, NO_NAME] : replicas
    const series = METRIC_TABLE[name].labels.map(label => [
      label,
      labelValues(name, label) ?? (label === 'replica' ? replica : definitions),
    ])
    startSeries(name, Object.fromEntries(series) as Series)
  }

  const known = new Set<string>()

  function startDefinitions(): void {
    // why: to begin a series again would reset it
    const added = gauges.definitions().filter(({ name }) => !known.has(name))
    const definitions = added.map(({ name }) => name)
    for (const name of definitions) known.add(name)
    const report = added.flatMap(({ name, maxRows }) => (maxRows === undefined ? [] : [name]))
    const ofReport = { route: ['report'], report }
    startSeries('svodka_http_request_duration_seconds', ofReport)
    startSeries('svodka_http_requests_total', { ...ofReport, status: REPORT_STATUSES })
    for (const name of started)
      if (METRIC_TABLE[name].labels.includes('definition')) startKnown(name, definitions)
  }

  for (const name of started) startKnown(name, [])
  const ofCache = { route: ['report', 'metrics'], result: CACHE_OUTCOMES }
  startSeries('svodka_http_time_to_first_byte_seconds', ofCache)
  startDefinitions()

  return {
    /** Never throws: an observation that cannot be counted is counted as an error of the process. */
    observe(fact: Observation): void {
      try {
        if (fact.kind === 'definitions-loaded') startDefinitions()
        MOVES[fact.kind]?.(fact as never, move, context)
      } catch {
        // why: an observation must not fail its request
        move('svodka_process_errors_total', 1)
      }
    },
    /** Prometheus text format 0.0.4 with its Content-Type. */
    exposition: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}
