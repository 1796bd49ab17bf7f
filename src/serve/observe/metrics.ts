/** Turns observations into Prometheus metrics, and exposes them. `METRIC_TABLE` specifies which change each. */
import { Registry, collectDefaultMetrics } from 'prom-client'
import type { Gauges } from '../../model/gauges.ts'
import type { Observe } from '../../model/observation.ts'
import { monotonicClock } from '../../model/clock.ts'
import { CACHE_OUTCOMES } from '../../model/terms.ts'
import type { Clock } from '../../model/terms.ts'
import { createLargestRows } from './largest-rows.ts'
import { createMetric, NO_NAME } from './metric.ts'
import type { MetricContext, MetricSpec } from './metric.ts'
import { REPLICA_METRICS } from './replica-metrics.ts'
import { REQUEST_METRICS } from './request-metrics.ts'

export const METRIC_TABLE = { ...REQUEST_METRICS, ...REPLICA_METRICS }

/** Names of the catalog. Only these become label values. */
interface CatalogNames {
  /** Codes of reports. */
  readonly reports: readonly string[]
  /** `Definition.name` of reports and metrics files. */
  readonly definitions: readonly string[]
}

interface MetricsOptions {
  readonly catalogNames: CatalogNames
  readonly gauges: Gauges
  readonly buildInfo: MetricContext['buildInfo']
  readonly wall: Clock
}

export interface Metrics {
  /** Never throws: an observation that cannot be counted is counted as an error of the process. */
  readonly observe: Observe
  /** Adds the names of another catalog as label values; their series start at 0. Existing series stay. */
  readonly addNames: (names: CatalogNames) => void
  /** Prometheus text format 0.0.4 with its Content-Type. */
  readonly exposition: () => Promise<{ readonly contentType: string; readonly text: string }>
}

/** Node's gauges with the suffix `_total`, which Prometheus reserves for counters. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** Response statuses of an existing report. */
const REPORT_STATUSES = '200 206 304 400 401 402 429 499 500 503 504'.split(' ')

/**
 * A separate registry; the series of every known label set starts at 0. Node's default metrics hold an event-loop
 * monitor, so a process with metrics must end by `process.exit`.
 * @see https://github.com/siimon/prom-client/issues/494
 */
export function createMetrics({ catalogNames, gauges, buildInfo, wall }: MetricsOptions): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)

  const reports = new Set<string>()
  const definitions = new Set<string>()
  const context: MetricContext = {
    reportOf: code => (code !== undefined && reports.has(code) ? code : NO_NAME),
    definitionOf: name => (definitions.has(name) ? name : NO_NAME),
    buildInfo,
    openReplicas: new Set(),
    largestRows: createLargestRows(monotonicClock),
    wall,
  }
  const specs: ReadonlyArray<readonly [string, MetricSpec]> = Object.entries(METRIC_TABLE)
  const metrics = new Map(
    specs.map(([name, spec]) => [name, createMetric(registry, name, spec, gauges, context)]),
  )
  const steps = new Map<string, Array<(fact: never) => void>>()
  for (const { spec, move } of metrics.values()) {
    for (const [kind, on] of Object.entries(spec.on ?? {})) {
      const step = (fact: never): void => on(fact, move, context)
      steps.set(kind, [...(steps.get(kind) ?? []), step])
    }
  }

  const { replicas } = gauges
  const names = { replicas, replicasOrNone: [...replicas, NO_NAME] }
  for (const { spec, start } of metrics.values()) start(spec.labels, names)
  const ofCache = { route: ['report', 'metrics'], result: CACHE_OUTCOMES }
  metrics.get('svodka_http_time_to_first_byte_seconds')!.start(ofCache)
  function addNames(added: CatalogNames): void {
    const report = added.reports.filter(name => !reports.has(name))
    const news = { definitions: added.definitions.filter(name => !definitions.has(name)) }
    for (const name of report) reports.add(name)
    for (const name of news.definitions) definitions.add(name)
    const ofReport = { route: ['report'], report }
    metrics.get('svodka_http_request_duration_seconds')!.start(ofReport)
    metrics.get('svodka_http_requests_total')!.start({ ...ofReport, status: REPORT_STATUSES })
    for (const { spec, start } of metrics.values()) {
      if ('definition' in spec.labels) start(spec.labels, news)
    }
  }
  addNames(catalogNames)

  return {
    addNames,
    observe(fact) {
      try {
        for (const step of steps.get(fact.kind) ?? []) step(fact as never)
      } catch {
        // why: an observation must not fail its request
        metrics.get('svodka_process_errors_total')!.move(1)
      }
    },
    exposition: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}
