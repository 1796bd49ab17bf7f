/**
 * Facts to Prometheus metrics, and their exposition. Knows no database: a scrape reads what the gauges
 * hold at that moment and waits for nothing.
 */
import { Registry, collectDefaultMetrics } from 'prom-client'
import type { Gauges } from '../../model/gauges.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock } from '../../model/terms.ts'
import { createCounting } from './counting.ts'
import { createInstruments } from './instruments.ts'
import { readGauges } from './read-gauges.ts'
import type { CatalogNames } from './start-at-zero.ts'
import { startAtZero, startNamesAtZero, startReplicasAtZero } from './start-at-zero.ts'

export interface MetricsOptions {
  readonly catalogNames: CatalogNames
  readonly gauges: Gauges
  readonly buildInfo: { readonly version: string; readonly revision?: string | undefined }
  readonly now: Clock
}

export interface Metrics {
  /** Never throws. */
  readonly observe: Observe
  /** Names that a catalog has brought: labels from now on, at 0. Those that were there stay. */
  readonly addNames: (names: CatalogNames) => void
  /** Prometheus' text format 0.0.4, and the Content-Type that goes with it. */
  readonly exposition: () => Promise<{ readonly contentType: string; readonly text: string }>
}

/** Gauges of Node's whose names end in `_total`, which Prometheus keeps for counters. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/**
 * A registry of its own, with every known label set at 0. Node's default metrics keep an event-loop
 * monitor, so a process that has metrics ends by `process.exit`.
 * @see https://github.com/siimon/prom-client/issues/494
 */
export function createMetrics(options: MetricsOptions): Metrics {
  const { catalogNames, gauges, buildInfo, now } = options
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const instruments = createInstruments(registry)
  startAtZero(instruments)
  startReplicasAtZero(instruments, gauges.replicas)
  instruments.gauge('svodka_build_info').set(
    {
      version: buildInfo.version,
      node_version: process.version,
      revision: buildInfo.revision ?? 'unknown',
    },
    1,
  )
  const known = { reports: new Set<string>(), definitions: new Set<string>() }
  const addNames = (names: CatalogNames): void => {
    for (const name of names.reports) known.reports.add(name)
    for (const name of names.definitions) known.definitions.add(name)
    startNamesAtZero(instruments, names)
  }
  addNames(catalogNames)
  return {
    observe: createCounting(instruments, known, now),
    addNames,
    async exposition() {
      readGauges(instruments, gauges)
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}
