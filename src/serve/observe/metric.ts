/** A metric of the table, as one of prom-client. */
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import { BUCKETS, METRIC_TABLE, SECONDS } from './metric-table.ts'
import type { MetricName } from './metric-table.ts'

/** A value with its label values, in the order of the labels. */
export type Sample = readonly [value: number, ...labels: string[]]

/** The values of a gauge at a scrape. */
export type Reading = () => number | readonly Sample[]

type Labels = Record<string, string>

export type Metric = ReturnType<typeof createMetric>

/** @param read of a gauge that is read at a scrape; other metrics are moved */
export function createMetric(name: MetricName, registry: Registry, read?: Reading) {
  const { kind, help, labels: labelNames, startValue } = METRIC_TABLE[name]
  const options = { name, help: help.replaceAll('`', ''), labelNames, registers: [registry] }
  const { begin, move } = createChanges()
  const started = new Set<string>()

  /** `begin` begins a series, `move` adds to a counter, sets a gauge, observes a value of a histogram. */
  function createChanges() {
    if (kind === 'counter') {
      const counter = new Counter(options)
      const add = (labels: Labels, amount: number): void => counter.inc(labels, amount)
      return { begin: (labels: Labels) => add(labels, 0), move: add }
    }
    if (kind === 'gauge') {
      const gauge: Gauge = new Gauge({
        ...options,
        ...(read && { collect: () => collect(gauge, read) }),
      })
      const set = (labels: Labels, value: number): void => gauge.set(labels, value)
      return { begin: (labels: Labels) => set(labels, startValue), move: set }
    }
    const histogram = new Histogram({ ...options, buckets: BUCKETS[name] ?? SECONDS })
    return {
      begin: (labels: Labels) => histogram.zero(labels),
      move: (labels: Labels, value: number) => histogram.observe(labels, value),
    }
  }

  /** If reading fails, the value is unknown; other metrics are not affected. */
  function collect(gauge: Gauge, from: Reading): void {
    gauge.reset()
    try {
      const found = from()
      if (typeof found === 'number') return gauge.set(found)
      for (const [value, ...values] of found) gauge.set(labelsOf(values), value)
    } catch {
      if (labelNames.length === 0) gauge.set(Number.NaN)
    }
  }

  function labelsOf(values: readonly string[]): Labels {
    const labels: Labels = {}
    for (let at = 0; at < labelNames.length; at += 1) labels[labelNames[at]!] = values[at]!
    return labels
  }

  return {
    /** Begins the series of all combinations of label values that have none. */
    start(...lists: ReadonlyArray<readonly string[]>): void {
      let combinations: string[][] = [[]]
      for (const list of lists)
        combinations = combinations.flatMap(values => list.map(value => values.concat(value)))
      for (const values of combinations) {
        const key = values.join('\n')
        if (!started.has(key)) begin(labelsOf(values))
        started.add(key)
      }
    },
    move: (value: number, values: readonly string[]): void => move(labelsOf(values), value),
  }
}
