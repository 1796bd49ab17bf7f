/** A metric of the table, as one of prom-client. */
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import { BUCKETS, METRIC_TABLE, SECONDS } from './metric-table.ts'
import type { MetricName } from './metric-table.ts'

/** A value with its label values, in the order of the labels. */
export type Sample = readonly [value: number, ...labels: string[]]

/** The values of a gauge at a scrape. */
export type Reading = () => number | readonly Sample[]

export type Metric = ReturnType<typeof createMetric>

/** @param read of a gauge that is read at a scrape; other metrics are moved */
export function createMetric(name: MetricName, registry: Registry, read?: Reading) {
  const { kind, help, labels: labelNames, startValue } = METRIC_TABLE[name]
  const options = { name, help: help.replaceAll('`', ''), labelNames, registers: [registry] }
  const started = new Set<string>()
  const metric =
    kind === 'counter'
      ? new Counter(options)
      : kind === 'gauge'
        ? new Gauge({ ...options, ...(read && { collect: () => collect(read) }) })
        : new Histogram({ ...options, buckets: BUCKETS[name] ?? SECONDS })

  /** If reading fails, the value is unknown; other metrics are not affected. */
  function collect(from: Reading): void {
    const gauge = metric as Gauge
    gauge.reset()
    try {
      const found = from()
      if (typeof found === 'number') return gauge.set(found)
      for (const [value, ...values] of found) gauge.set(labelsOf(values), value)
    } catch {
      if (labelNames.length === 0) gauge.set(Number.NaN)
    }
  }

  function labelsOf(values: readonly string[]): Record<string, string> {
    const labels: Record<string, string> = {}
    for (let at = 0; at < labelNames.length; at += 1) labels[labelNames[at]!] = values[at]!
    return labels
  }

  /** Adds to a counter, sets a gauge, observes a value of a histogram. */
  function move(value: number, values: readonly string[]): void {
    const labels = labelsOf(values)
    if (metric instanceof Counter) metric.inc(labels, value)
    else if (metric instanceof Gauge) metric.set(labels, value)
    else metric.observe(labels, value)
  }

  return {
    /** Begins the series of all combinations of label values that have none. */
    start(...lists: ReadonlyArray<readonly string[]>): void {
      let combinations: string[][] = [[]]
      for (const list of lists)
        combinations = combinations.flatMap(values => list.map(value => values.concat(value)))
      for (const values of combinations) {
        const key = values.join('\n')
        if (started.has(key)) continue
        started.add(key)
        if (metric instanceof Histogram) metric.zero(labelsOf(values))
        else move(startValue, values)
      }
    },
    move,
  }
}
