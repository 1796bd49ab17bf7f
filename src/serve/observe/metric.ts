/** A metric of the table as prom-client exposes it. Counters and gauges are read at a scrape only. */
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import { BUCKETS, METRIC_TABLE, SECONDS } from './metric-table.ts'
import type { MetricName } from './metric-table.ts'

/** A value with its label values, in the order of the labels. */
export type Sample = [value: number, ...labels: string[]]

/** The values of a gauge at a scrape. */
export type Reading = () => number | readonly Sample[]

/** Adds to a counter, sets a gauge, observes a value of a histogram. */
type Change = (value: number) => void

/** By the values of the labels so far: the change of their series, or the nodes of the next label. */
interface LabelNode {
  change?: Change
  readonly next: Map<string, LabelNode>
}

export type Metric = ReturnType<typeof createMetric>

/** @param read of a gauge that is read at a scrape; other metrics are moved */
export function createMetric(name: MetricName, registry: Registry, read?: Reading) {
  const { kind, help, labels: labelNames, startValue } = METRIC_TABLE[name]
  const options = { name, help: help.replaceAll('`', ''), labelNames, registers: [registry] }
  const samples: Sample[] = []
  // why a tree: prom-client's look-up costs a hit 0.7 us more, with `labels()` as without; joined keys cost 0.4 us
  const root: LabelNode = { next: new Map() }
  const metric = createClientMetric()

  function createClientMetric(): Counter | Gauge | Histogram {
    if (kind === 'counter') return new Counter({ ...options, collect })
    if (kind === 'gauge') return new Gauge({ ...options, collect })
    return new Histogram({ ...options, buckets: BUCKETS[name] ?? SECONDS })
  }

  function collect(this: Counter | Gauge): void {
    this.reset()
    for (const [value, ...values] of current()) this.inc(labelsOf(values), value)
  }

  /** If reading fails, the value is unknown; other metrics are not affected. */
  function current(): readonly Sample[] {
    try {
      const found = read?.() ?? samples
      return typeof found === 'number' ? [[found]] : found
    } catch {
      return labelNames.length === 0 ? [[Number.NaN]] : []
    }
  }

  function labelsOf(values: readonly string[]): Record<string, string> {
    return Object.fromEntries(labelNames.map((label, at) => [label, values[at]!]))
  }

  /** Begins the series if there is none. */
  function changeOf(values: readonly string[]): Change {
    let node = root
    for (const value of values) {
      let next = node.next.get(value)
      if (next === undefined) node.next.set(value, (next = { next: new Map() }))
      node = next
    }
    return (node.change ??= begin(values))
  }

  function begin(values: readonly string[]): Change {
    if (metric instanceof Histogram) {
      const labels = labelsOf(values)
      metric.zero(labels)
      return value => metric.observe(labels, value)
    }
    const sample: Sample = [startValue, ...values]
    samples.push(sample)
    if (kind === 'gauge') return value => void (sample[0] = value)
    return value => {
      if (!(value >= 0 && value < Infinity)) throw new RangeError(`${name} cannot grow by ${value}`)
      sample[0] += value
    }
  }

  return {
    /** Begins the series of all combinations of label values. */
    start(...lists: ReadonlyArray<readonly string[]>): void {
      let combinations: string[][] = [[]]
      for (const list of lists)
        combinations = combinations.flatMap(values => list.map(value => values.concat(value)))
      combinations.forEach(changeOf)
    },
    move: (value: number, values: readonly string[]): void => changeOf(values)(value),
  }
}
