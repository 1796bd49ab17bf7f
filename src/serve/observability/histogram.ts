/** A histogram that is observed in plain numbers, and exposed as prom-client exposes its own. */
import type { Metric, MetricValueWithName, Registry } from 'prom-client'
import { createTally, eachTally, tallyOf } from './tally.ts'
import type { LabelSet, LabelValue } from './tally.ts'

interface Observed {
  /** Observations by bucket, not cumulative; the last one has those above all bounds. */
  readonly counts: number[]
  sum: number
}

/** @param options.buckets upper bounds, ascending */
export function registerHistogram(
  registry: Registry,
  options: {
    readonly name: string
    readonly help: string
    readonly labelNames: readonly string[]
    readonly buckets: readonly number[]
  },
): {
  readonly observe: (value: number, ...values: readonly LabelValue[]) => void
  readonly zero: (labels: LabelSet) => void
} {
  const { name, help, labelNames, buckets } = options
  const tally = createTally<Observed>()
  const bounds = [...buckets, '+Inf']
  const observedOf = (values: readonly LabelValue[]): Observed =>
    (tallyOf(tally, values).value ??= { counts: bounds.map(() => 0), sum: 0 })

  async function get(): Promise<object> {
    const values: Array<MetricValueWithName<string>> = []
    eachTally(tally, labelNames, (labels, { value }) => {
      let count = 0
      for (const [at, le] of bounds.entries()) {
        count += value!.counts[at]!
        values.push({ metricName: `${name}_bucket`, labels: { le, ...labels }, value: count })
      }
      values.push({ metricName: `${name}_sum`, labels, value: value!.sum })
      values.push({ metricName: `${name}_count`, labels, value: count })
    })
    return { name, help, type: 'histogram', values }
  }
  // why: a registry reads the name and `get` of a metric, and nothing else
  registry.registerMetric({ name, get } as unknown as Metric)

  return {
    observe(value, ...values) {
      const observed = observedOf(values)
      let at = 0
      while (at < buckets.length && value > buckets[at]!) at += 1
      observed.counts[at]! += 1
      observed.sum += value
    },
    zero: labels => void observedOf(labelNames.map(label => labels[label]!)),
  }
}
