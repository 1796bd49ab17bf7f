/** Observations to Prometheus metrics, and their exposition. */
import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Gauges } from '../../model/gauges.ts'
import { RUN_OUTCOMES } from '../../model/observation.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock } from '../../model/terms.ts'
import { createInstruments } from './instruments.ts'
import type { Instrument } from './instruments.ts'
import { createMetricObserver } from './metric-observer.ts'
import { METRIC_TABLE, NO_NAME } from './metric-table.ts'
import type { LabelValues, MetricName, MetricSpec, NamesOfLabels } from './metric-table.ts'

/** The catalog's names, the only ones that become labels. */
export interface CatalogNames {
  /** Codes of reports. */
  readonly reports: readonly string[]
  /** `Definition.name` of reports and metrics files. */
  readonly definitions: readonly string[]
}

export interface MetricsOptions {
  readonly catalogNames: CatalogNames
  readonly gauges: Gauges
  readonly buildInfo: { readonly version: string; readonly revision?: string | undefined }
  readonly now: Clock
}

export interface Metrics {
  /** Never throws. */
  readonly observe: Observe
  /** Makes names of another catalog labels, at 0. Series that exist stay. */
  readonly addNames: (names: CatalogNames) => void
  /** Prometheus' text format 0.0.4, and the Content-Type that goes with it. */
  readonly exposition: () => Promise<{ readonly contentType: string; readonly text: string }>
}

/** Gauges of Node with names in `_total`, which Prometheus reserves for counters. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** The statuses of a report that exists. */
const REPORT_STATUSES = [200, 206, 304, 400, 401, 402, 429, 499, 500, 503, 504]

/**
 * A registry of its own, with every known label set at 0. Node's default metrics keep an event-loop
 * monitor: a process with metrics must end by `process.exit`.
 * @see https://github.com/siimon/prom-client/issues/494
 */
export function createMetrics({ catalogNames, gauges, buildInfo, now }: MetricsOptions): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const specs = Object.entries(METRIC_TABLE) as unknown as ReadonlyArray<[MetricName, MetricSpec]>
  const instruments = createInstruments(registry, gauges)

  const { version, revision = 'unknown' } = buildInfo
  instruments.svodka_build_info.set({ version, node_version: process.version, revision }, 1)
  const { replicas } = gauges
  for (const [name, { labels, startValue }] of specs) {
    startSeries(instruments[name], labels, { replicas }, startValue)
  }
  const ofNoReplica = { replica: [NO_NAME], outcome: RUN_OUTCOMES }
  startSeries(instruments.svodka_replica_runs_total, ofNoReplica)

  const reports = new Set<string>()
  const definitions = new Set<string>()
  function addNames(names: CatalogNames): void {
    const added = {
      report: names.reports.filter(name => !reports.has(name)),
      definitions: names.definitions.filter(name => !definitions.has(name)),
    }
    for (const name of added.report) reports.add(name)
    for (const name of added.definitions) definitions.add(name)
    const ofReport = { route: ['report'], report: added.report }
    startSeries(instruments.svodka_http_request_duration_seconds, ofReport)
    startSeries(instruments.svodka_http_requests_total, { ...ofReport, status: REPORT_STATUSES })
    for (const [name, { labels }] of specs) {
      if ('definition' in labels) startSeries(instruments[name], labels, added)
    }
  }
  addNames(catalogNames)

  const { observe, flush } = createMetricObserver(instruments, { reports, definitions }, now)
  return {
    observe,
    addNames,
    async exposition() {
      flush()
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

/** Creates the series of all combinations of label values. */
function startSeries(
  instrument: Instrument,
  labels: LabelValues<string>,
  names: NamesOfLabels = {},
  startValue = 0,
): void {
  let labelSets: Array<Record<string, string | number>> = [{}]
  for (const [label, listed] of Object.entries(labels)) {
    const values = typeof listed === 'string' ? (names[listed] ?? []) : listed
    labelSets = labelSets.flatMap(set =>
      values.map(value => Object.assign({}, set, { [label]: value })),
    )
  }
  for (const set of labelSets) {
    if (instrument instanceof Histogram) instrument.zero(set)
    else if (instrument instanceof Counter) instrument.inc(set, 0)
    else instrument.set(set, startValue)
  }
}
