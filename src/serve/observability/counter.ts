/** A counter that costs an addition; prom-client asks for its series at the scrape. Knows no fact. */
import { createLabelSets } from './label-sets.ts'
import type { Labels } from './label-sets.ts'
import type { MetricOptions, Scraped } from './scraped.ts'

/** Whoever counts often keeps it and adds to `value`, numbers from 0 on. */
export interface CounterSeries {
  readonly labels: Labels
  value: number
}

export interface Counter extends Scraped {
  /** The series of these labels, there from now on. @throws if a label is missing. */
  series(labels: Labels): CounterSeries
  /** Adds to the series of these labels; 1 if nothing else is said. */
  inc(labels?: Labels, by?: number): void
}

export function createCounter({ name, help, labelNames }: MetricOptions): Counter {
  const sets = createLabelSets<CounterSeries>(labelNames, labels => ({ labels, value: 0 }))
  return {
    name,
    series: labels => sets.of(labels),
    inc(labels = {}, by = 1) {
      sets.of(labels).value += by
    },
    async get() {
      return { name, help, type: 'counter', aggregator: 'sum', values: sets.all() }
    },
  }
}
