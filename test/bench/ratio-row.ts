// A row that compares two contenders of one interleaved run.
import type { Row, Target } from './row.ts'
import { ratioOf } from './statistics.ts'
import { voidReason } from './void-rule.ts'
import type { Baseline } from './void-rule.ts'

export interface Comparison {
  readonly name: string
  /** Round by round, in the unit of the baseline's rounds. */
  readonly rounds: readonly number[]
  readonly baseline: Baseline
  readonly target?: Target
  readonly figures?: Readonly<Record<string, number>>
  readonly note?: string
}

export function ratioRow({ name, rounds, baseline, target, figures, note }: Comparison): Row {
  const { value, spread } = ratioOf(rounds, baseline.rounds)
  const reason = voidReason(baseline)
  return {
    name,
    value,
    unit: 'x',
    spread,
    figures: figures ?? {},
    ...(target === undefined ? {} : { target }),
    ...(reason === undefined ? {} : { void: reason }),
    ...(note === undefined ? {} : { note }),
  }
}
