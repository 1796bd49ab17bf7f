/** The table of metrics as counters, gauges and histograms, in a registry handed in. */
import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { createCounter } from './counter.ts'
import type { Counter } from './counter.ts'
import { createHistogram } from './histogram.ts'
import type { Histogram } from './histogram.ts'
import type { MetricSpec, NameOf } from './metric-table.ts'
import { METRIC_TABLE } from './metric-table.ts'
import { register } from './scraped.ts'

/** Counters and histograms are ours: prom-client hashes labels at each count, a microsecond each time. */
export interface Instruments {
  readonly counter: (name: NameOf<'counter'>) => Counter
  readonly gauge: (name: NameOf<'gauge'>) => Gauge
  readonly histogram: (name: NameOf<'histogram'>) => Histogram
}

/** Registers every metric of the table, whether it is ever asked for or not. */
export function createInstruments(registry: Registry): Instruments {
  const counters = new Map<string, Counter>()
  const gauges = new Map<string, Gauge>()
  const histograms = new Map<string, Histogram>()
  const table: ReadonlyArray<readonly [string, MetricSpec]> = Object.entries(METRIC_TABLE)
  for (const [name, { kind, help, labels: labelNames = [], buckets = [] }] of table) {
    const options = { name, help: help.replaceAll('`', ''), labelNames }
    if (kind === 'counter') counters.set(name, register(registry, createCounter(options)))
    if (kind === 'gauge') gauges.set(name, new Gauge({ ...options, registers: [registry] }))
    if (kind === 'histogram') {
      histograms.set(name, register(registry, createHistogram(options, buckets)))
    }
  }
  return {
    counter: name => known(counters.get(name)),
    gauge: name => known(gauges.get(name)),
    histogram: name => known(histograms.get(name)),
  }
}

/** The types of the names keep this from ever throwing. */
function known<Metric>(metric: Metric | undefined): Metric {
  if (metric === undefined) throw new Error('no such metric in the table')
  return metric
}
