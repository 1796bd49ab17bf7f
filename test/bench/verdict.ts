// What a row's value is worth, and what all rows make of the run. Pure.
import type { Row, Target } from './row.ts'

export type Verdict =
  | 'reached'
  | 'falls short'
  | 'void'
  | 'not to be had'
  | 'broke off'
  | 'measured'

export function verdictOf(row: Row): Verdict {
  if (row.broke !== undefined) return 'broke off'
  if (row.value === undefined) return 'not to be had'
  if (row.void !== undefined) return 'void'
  if (row.target === undefined) return 'measured'
  return reaches(row.value, row.target) ? 'reached' : 'falls short'
}

function reaches(value: number, target: Target): boolean {
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost
}

/** 1 if a row falls short or broke off, 3 if the environment lacks something, else 0: a void row is said, and no failure. */
export function exitCodeOf(rows: readonly Row[]): 0 | 1 | 3 {
  const verdicts = new Set(rows.map(verdictOf))
  if (verdicts.has('falls short') || verdicts.has('broke off')) return 1
  return verdicts.has('not to be had') ? 3 : 0
}
