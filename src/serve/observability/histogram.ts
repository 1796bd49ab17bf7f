/** A histogram that costs an addition; prom-client asks for its series at the scrape. Knows no fact. */
import { createLabelSets } from './label-sets.ts'
import type { Labels } from './label-sets.ts'
import type { MetricOptions, Sample, Scraped } from './scraped.ts'

/** Whoever observes often keeps it, for `observeIn`. */
export interface HistogramSeries {
  readonly labels: Labels
  readonly bounds: Float64Array
  /** How many values came into each bucket and none below it; the last is above all bounds. */
  readonly counts: Float64Array
  sum: number
}

export interface Histogram extends Scraped {
  /** The series of these labels, there from now on. @throws if a label is missing. */
  series(labels: Labels): HistogramSeries
}

/** @param value from 0 on */
export function observeIn(series: HistogramSeries, value: number): void {
  const { bounds, counts } = series
  let bucket = 0
  while (bucket < bounds.length && value > bounds[bucket]!) bucket += 1
  counts[bucket]! += 1
  series.sum += value
}

/** @param buckets upper bounds, ascending */
export function createHistogram(options: MetricOptions, buckets: readonly number[]): Histogram {
  const { name, help, labelNames } = options
  const bounds = Float64Array.from(buckets)
  const sets = createLabelSets<HistogramSeries>(labelNames, labels => ({
    labels,
    bounds,
    counts: new Float64Array(bounds.length + 1),
    sum: 0,
  }))
  return {
    name,
    series: labels => sets.of(labels),
    async get() {
      const values = sets.all().flatMap(series => samplesOf(name, series))
      return { name, help, type: 'histogram', aggregator: 'sum', values }
    },
  }
}

function samplesOf(name: string, { labels, bounds, counts, sum }: HistogramSeries): Sample[] {
  const bucketName = `${name}_bucket`
  const samples: Sample[] = []
  let count = 0
  for (const [index, inBucket] of counts.entries()) {
    count += inBucket
    const le = bounds[index] ?? '+Inf'
    samples.push({ metricName: bucketName, labels: { le, ...labels }, value: count })
  }
  samples.push({ metricName: `${name}_sum`, labels, value: sum })
  samples.push({ metricName: `${name}_count`, labels, value: count })
  return samples
}
