// Rows of the table. A row is void if its baseline varied too much or was idle, or if the machine was busy. Pure.
import type { Bench, Figures, Row, Target } from './bench.ts'
import { median, ratioOf, waver } from './statistics.ts'

/** Highest round over lowest. */
const MOST_WAVER = 1.4
/** Of the baseline's core. Below it, the load generator or the machine was the limit, not the server. */
const LEAST_CPU_SHARE = 0.95
/** Cores used by other processes. */
const MOST_BUSY = 0.5

export interface Comparison<Name extends string, Measured> {
  readonly name: string
  readonly ours: Name
  readonly baseline: Name
  readonly of: (round: Measured) => number
  /** Undefined for a figure without a verdict. */
  readonly target?: Target | undefined
  /** CPU time over wall time, for a baseline that must saturate its core. */
  readonly cpuShare?: (round: Measured) => number
}

/** Compares two contenders of one interleaved run by the ratio of their medians. */
export function ratioRow<Name extends string, Measured extends object>(
  measured: Readonly<Record<Name, readonly Measured[]>>,
  { name, ours, baseline, of, target, cpuShare }: Comparison<Name, Measured>,
): Row {
  const rounds = measured[baseline]
  const ratio = ratioOf(measured[ours].map(of), rounds.map(of))
  const wavered = waver(rounds.map(of))
  const share = cpuShare === undefined ? 1 : median(rounds.map(cpuShare))
  const reason =
    wavered > MOST_WAVER
      ? `${baseline} wavers: its rounds are ${wavered.toFixed(2)}x apart`
      : share < LEAST_CPU_SHARE
        ? `${baseline} had ${Math.round(share * 100)} % of its core`
        : undefined
  const figures = { ...figuresOf(ours, measured[ours]), ...figuresOf(baseline, rounds) }
  return { name, ...ratio, unit: 'x', target, figures, void: reason }
}

/** The median of every figure. */
function figuresOf(name: string, rounds: readonly object[]): Figures {
  const all = rounds.map(round => Object.entries(round) as [string, number][])
  const medians = (all[0] ?? []).map(([figure], at) => {
    const values = all.map(entries => entries[at]?.[1] ?? Number.NaN)
    return [`${name}, ${figure}`, Number(median(values).toPrecision(4))]
  })
  return Object.fromEntries(medians) as Figures
}

/** A row in seconds or MiB. It has no baseline, so only the load before the run shows whether the machine was busy. */
export function plainRow(
  { busyCoresBefore }: Pick<Bench, 'busyCoresBefore'>,
  row: Omit<Row, 'figures'> & { readonly figures?: Figures },
): Row {
  const isBusy = busyCoresBefore > MOST_BUSY
  const reason = `others kept ${busyCoresBefore.toFixed(1)} cores busy before the run`
  return { ...row, figures: row.figures ?? {}, void: isBusy ? reason : undefined }
}
