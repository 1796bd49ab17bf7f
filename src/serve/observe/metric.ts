/** A metric of the table as prom-client exposes it. Counters and gauges are read at a scrape only. */
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import { bucketsOf, METRIC_TABLE } from './metric-table.ts'
import type { MetricName } from './metric-table.ts'

/** A value with its label values, in the order of the labels. */
export type Sample = readonly [value: number, ...labels: string[]]

/** The values of a gauge at a scrape. */
export type Reading = () => number | readonly Sample[]

interface Series {
  readonly labels: Record<string, string>
  /** Of a histogram, prom-client has the values. */
  value: number
}

/** The series of the label values so far, and the nodes of the next label's values. */
interface LabelNode {
  series?: Series
  readonly next: Map<string, LabelNode>
}

export type Metric = ReturnType<typeof createMetric>

/** @param read of a gauge that is read at a scrape; other metrics are moved */
export function createMetric(name: MetricName, registry: Registry, read: Reading | undefined) {
  const { kind, help, labels: labelNames, startValue } = METRIC_TABLE[name]
  const options = { name, help: help.replaceAll('`', ''), labelNames, registers: [registry] }
  const all: Series[] = []
  // why a tree: prom-client's look-up costs a hit 0.7 us more, with `labels()` as without; joined keys cost 0.4 us
  const root: LabelNode = { next: new Map() }
  const metric = createClientMetric()
  const histogram = metric instanceof Histogram ? metric : undefined

  function createClientMetric(): Counter | Gauge | Histogram {
    if (kind === 'counter') return new Counter({ ...options, collect })
    if (kind === 'gauge') return new Gauge({ ...options, collect })
    return new Histogram({ ...options, buckets: bucketsOf(name) })
  }

  function seriesOf(values: readonly string[]): Series {
    let node = root
    for (const value of values) {
      let next = node.next.get(value)
      if (next === undefined) node.next.set(value, (next = { next: new Map() }))
      node = next
    }
    return (node.series ??= beginSeries(values))
  }

  function beginSeries(values: readonly string[]): Series {
    const series = { labels: labelsOf(values), value: startValue }
    all.push(series)
    histogram?.zero(series.labels)
    return series
  }

  function labelsOf(values: readonly string[]): Record<string, string> {
    return Object.fromEntries(labelNames.map((label, at) => [label, values[at]!]))
  }

  /** If reading fails, the value is unknown; other metrics are not affected. */
  function current(): Iterable<Series> {
    if (read === undefined) return all
    try {
      const found = read()
      const samples: readonly Sample[] = typeof found === 'number' ? [[found]] : found
      return samples.map(([value, ...values]) => ({ labels: labelsOf(values), value }))
    } catch {
      return labelNames.length === 0 ? [{ labels: {}, value: Number.NaN }] : []
    }
  }

  function collect(this: Counter | Gauge): void {
    this.reset()
    for (const { labels, value } of current()) this.inc(labels, value)
  }

  return {
    /** Begins the series of all combinations of label values. */
    start(...lists: ReadonlyArray<readonly string[]>): void {
      let combinations: string[][] = [[]]
      for (const list of lists)
        combinations = combinations.flatMap(values => list.map(value => values.concat(value)))
      combinations.forEach(seriesOf)
    },
    /** Adds to a counter, sets a gauge, observes a value of a histogram. */
    move(value: number, values: readonly string[]): void {
      const series = seriesOf(values)
      if (histogram !== undefined) histogram.observe(series.labels, value)
      else if (kind === 'gauge') series.value = value
      else if (value >= 0 && value < Infinity) series.value += value
      else throw new RangeError(`${name} cannot grow by ${value}`)
    },
  }
}
