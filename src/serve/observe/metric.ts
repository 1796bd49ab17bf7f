/** Specification of a metric (help, labels, observations that change it), and its prom-client metric. */
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Gauges } from '../../model/gauges.ts'
import type { Observation } from '../../model/observation.ts'
import type { Clock } from '../../model/terms.ts'
import type { LargestRows } from './largest-rows.ts'

type Fact<Kind extends Observation['kind']> = Extract<Observation, { kind: Kind }>

/** Label values that are known only at start. */
interface NamesOfLabels {
  readonly definitions?: readonly string[]
  readonly replicas?: readonly string[]
  /** `replicas` and `NO_NAME`. */
  readonly replicasOrNone?: readonly string[]
}

/** Each label with its initial values. */
type LabelValues = Readonly<Record<string, readonly string[] | keyof NamesOfLabels>>

/**
 * Adds to a counter, sets a gauge or observes a value of a histogram.
 * @param values of the labels, in their order
 */
type Move = (value: number, ...values: readonly string[]) => void

/** Data that a metric may read in addition to its observation. */
export interface MetricContext {
  /** The code if the catalog has it, else `NO_NAME`. */
  readonly reportOf: (code: string | undefined) => string
  /** The `Definition.name` if the catalog has it, else `NO_NAME`. */
  readonly definitionOf: (name: string) => string
  readonly buildInfo: { readonly version: string; readonly revision?: string | undefined }
  /** Replicas with an open or half-open circuit breaker. */
  readonly openReplicas: Set<string>
  /** By `Definition.name`. */
  readonly largestRows: LargestRows
  readonly wall: Clock
}

/** How observations of each kind change a metric. */
type Moves = {
  readonly [Kind in Observation['kind']]?: (
    fact: Fact<Kind>,
    move: Move,
    context: MetricContext,
  ) => void
}

/** A value with its label values, in the order of the labels. */
type Sample = readonly [value: number, ...values: string[]]

type Read = (gauges: Gauges, context: MetricContext) => readonly Sample[]

export interface MetricSpec {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  /** One line of Markdown, repeated verbatim in config/README.md. */
  readonly help: string
  readonly labels: LabelValues
  readonly on?: Moves
  /** Reads a gauge at a scrape, synchronously, from memory. */
  readonly read?: Read
  readonly buckets?: readonly number[]
  /** NaN: unknown. */
  readonly startValue?: number
}

/** Label value for names that the catalog does not have, and for missing names. */
export const NO_NAME = 'none'

/** Buckets from the time of a cached response to the timeouts of clients. */
const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50]

export function counter(help: string, labels: LabelValues, on: Moves) {
  return { kind: 'counter', help, labels, on } as const
}

export function gauge(help: string, labels: LabelValues, on: Moves, startValue = 0) {
  return { kind: 'gauge', help, labels, on, startValue } as const
}

/** Gauges that are read at a scrape. @param on notes what `read` needs */
export function readings(help: string, labels: LabelValues, read: Read, on: Moves = {}) {
  return { kind: 'gauge', help, labels, read, on } as const
}

export function reading(help: string, read: (gauges: Gauges) => number) {
  return readings(help, {}, gauges => [[read(gauges)]])
}

export function histogram(
  help: string,
  labels: LabelValues,
  on: Moves,
  buckets: readonly number[] = SECONDS,
) {
  return { kind: 'histogram', help, labels, buckets, on } as const
}

interface RegisteredMetric {
  readonly spec: MetricSpec
  readonly move: Move
  /** Creates the series of all combinations of label values. */
  readonly start: (labels: LabelValues, names?: NamesOfLabels) => void
}

export function createMetric(
  registry: Registry,
  name: string,
  spec: MetricSpec,
  gauges: Gauges,
  context: MetricContext,
): RegisteredMetric {
  const { kind, read, startValue = 0 } = spec
  const labelNames = Object.keys(spec.labels)
  const options = { name, help: spec.help.replaceAll('`', ''), labelNames, registers: [registry] }
  if (kind === 'histogram') {
    const histogram = new Histogram({ ...options, buckets: [...spec.buckets!] })
    const move: Move = (value, ...values) => histogram.observe(labelsOf(values), value)
    return { spec, move, start: startEach(labels => histogram.zero(labels)) }
  }
  if (kind === 'counter') {
    const counter = new Counter(options)
    const move: Move = (amount, ...values) => counter.inc(labelsOf(values), amount)
    return { spec, move, start: startEach(labels => counter.inc(labels, 0)) }
  }
  const gauge = new Gauge({ ...options, ...(read && { collect }) })
  const move: Move = (value, ...values) => gauge.set(labelsOf(values), value)
  return { spec, move, start: startEach(labels => gauge.set(labels, startValue)) }

  // why: `labels()` of a metric costs a hit 0.25 us more, since it makes a function for each call
  function labelsOf(values: readonly string[]): Record<string, string> {
    const labels: Record<string, string> = {}
    for (let at = 0; at < labelNames.length; at += 1) labels[labelNames[at]!] = values[at]!
    return labels
  }

  /** If reading fails, the value is unknown; other metrics are not affected. */
  function collect(): void {
    gauge.reset()
    try {
      for (const [value, ...values] of read!(gauges, context)) {
        gauge.set(labelsOf(values), value)
      }
    } catch {
      if (labelNames.length === 0) gauge.set(Number.NaN)
    }
  }
}

function startEach(start: (set: Record<string, string>) => void): RegisteredMetric['start'] {
  return (labels, names = {}) => {
    let sets: Array<Record<string, string>> = [{}]
    for (const [label, listed] of Object.entries(labels)) {
      const values = typeof listed === 'string' ? (names[listed] ?? []) : listed
      sets = sets.flatMap(set => values.map(value => Object.assign({}, set, { [label]: value })))
    }
    for (const set of sets) start(set)
  }
}
