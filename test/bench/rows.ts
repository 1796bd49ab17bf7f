// Rows of the table, and when one is void: its baseline wavered or was not busy, or the machine was. Pure.
import type { Bench, Figures, Row, Target } from './bench.ts'
import { median, ratioOf, waver } from './statistics.ts'

/** Highest round over lowest. */
const MOST_WAVER = 1.4
/** Of its core: below, the load or the machine was measured, and not the server. */
const LEAST_CPU_SHARE = 0.95
/** Of cores, by others. */
const MOST_BUSY = 0.5

export interface Baseline {
  readonly name: string
  /** What is compared, round by round. */
  readonly rounds: readonly number[]
  /** What the rule looks at instead, where the rounds waver by nature: those of a p99 do. */
  readonly judged?: readonly number[]
  /** Of an HTTP server that is to be saturated: its CPU time over wall time, round by round. */
  readonly cpuShares?: readonly number[]
}

export interface Comparison {
  readonly name: string
  /** Round by round, in the unit of the baseline's rounds. */
  readonly rounds: readonly number[]
  readonly baseline: Baseline
  readonly target: Target
  readonly figures?: Figures
  readonly note?: string
}

/** Two contenders of one interleaved run. */
export function ratioRow({ rounds, baseline, figures = {}, ...row }: Comparison): Row {
  const ratio = ratioOf(rounds, baseline.rounds)
  return { ...row, ...ratio, unit: 'x', figures, void: voidReason(baseline) }
}

/** Seconds, MiB and the like have no baseline that would tell that the machine was busy. */
export function plainRow(
  { busyCoresBefore }: Pick<Bench, 'busyCoresBefore'>,
  row: Omit<Row, 'figures'> & { readonly figures?: Figures },
): Row {
  const isBusy = busyCoresBefore > MOST_BUSY
  const reason = `others kept ${busyCoresBefore.toFixed(1)} cores busy before the run`
  return { ...row, figures: row.figures ?? {}, void: isBusy ? reason : undefined }
}

/** Why rows against this baseline are void, or undefined. */
function voidReason({ name, rounds, judged = rounds, cpuShares }: Baseline): string | undefined {
  const wavered = waver(judged)
  if (wavered > MOST_WAVER) return `${name} wavers: its rounds are ${wavered.toFixed(2)}x apart`
  const share = cpuShares === undefined ? 1 : median(cpuShares)
  if (share < LEAST_CPU_SHARE) return `${name} had ${Math.round(share * 100)} % of its core`
  return undefined
}
