/** What prom-client asks of a metric at the scrape, told without a metric of its own. */
import type { Metric, Registry } from 'prom-client'
import type { Labels } from './label-sets.ts'

export interface MetricOptions {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
}

/** A line of the exposition. */
export interface Sample {
  readonly labels: Labels
  readonly value: number
  /** The metric's own if it is not said. */
  readonly metricName?: string
}

export interface Scraped {
  readonly name: string
  get(): Promise<{
    readonly name: string
    readonly help: string
    readonly type: 'counter' | 'histogram'
    readonly aggregator: 'sum'
    readonly values: readonly Sample[]
  }>
}

/** Has the registry ask this metric at each scrape. */
export function register<Ours extends Scraped>(registry: Registry, metric: Ours): Ours {
  // why: the registry reads `name` and calls `get` alone; its type names the four classes that it ships
  registry.registerMetric(metric as unknown as Metric)
  return metric
}
