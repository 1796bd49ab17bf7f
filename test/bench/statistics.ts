// Medians, ratios and their spread. Pure.

/** @throws RangeError for no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  if (upper === undefined || lower === undefined) throw new RangeError('a median of nothing')
  return (lower + upper) / 2
}

export interface Ratio {
  /** Of the medians. */
  readonly value: number
  /** The lowest and the highest of single rounds. */
  readonly spread: readonly [low: number, high: number]
}

/** Both have a value for each round, in the same order. */
export function ratioOf(values: readonly number[], baseline: readonly number[]): Ratio {
  if (values.length !== baseline.length)
    throw new RangeError(`${values.length} rounds against ${baseline.length}`)
  const byRound = values.map((value, round) => value / (baseline[round] ?? Number.NaN))
  return {
    value: median(values) / median(baseline),
    spread: [Math.min(...byRound), Math.max(...byRound)],
  }
}

/** How far the rounds of one contender lie apart: 1 if they are all the same. */
export function waver(values: readonly number[]): number {
  return Math.max(...values) / Math.min(...values)
}
