/** Shares of a total, running shares and ABC classes of sorted rows. */
import { percent, sum } from './arithmetic.ts'

/** Of the sum of a column; an amount below 0 has a negative share. */
export function withShares<Column extends string, Row extends Readonly<Record<Column, bigint>>>(
  rows: readonly Row[],
  column: Column,
) {
  const whole = sum(rows.map(row => row[column]))
  let before = 0n
  return rows.map(row => {
    const abc = classOf(row[column], before, whole)
    before += row[column]
    const share = percent(row[column], whole)
    return { ...row, share, cumulative_share: percent(before, whole), abc }
  })
}

/** By the running share before the row: a row that crosses a border is in the better class. */
function classOf(amount: bigint, before: bigint, whole: bigint): 'A' | 'B' | 'C' {
  if (amount <= 0n) return 'C'
  if (before * 100n < 80n * whole) return 'A'
  return before * 100n < 95n * whole ? 'B' : 'C'
}
