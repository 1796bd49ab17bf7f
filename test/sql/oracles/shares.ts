/** Shares of a total, running shares and ABC classes of sorted rows. */
import { percent, sum } from './arithmetic.ts'

export interface Shared<Row> {
  readonly row: Row
  readonly share: string | null
  /** Of this row and all earlier ones. */
  readonly cumulativeShare: string | null
  readonly abc: 'A' | 'B' | 'C'
}

/** Of the sum of all amounts; an amount below 0 has a negative share. */
export function sharesOf<Row>(
  rows: readonly Row[],
  amountOf: (row: Row) => bigint,
): readonly Shared<Row>[] {
  const whole = sum(rows.map(amountOf))
  let before = 0n
  return rows.map(row => {
    const amount = amountOf(row)
    const abc = classOf(amount, before, whole)
    before += amount
    return {
      row,
      share: percent(amount, whole),
      cumulativeShare: percent(before, whole),
      abc,
    }
  })
}

export function totalShare(amounts: readonly bigint[]): string | null {
  return sum(amounts) > 0n ? '100.0' : null
}

/** By the running share before the row: a row that crosses a border is in the better class. */
function classOf(amount: bigint, before: bigint, whole: bigint): 'A' | 'B' | 'C' {
  if (amount <= 0n) return 'C'
  if (before * 100n < 80n * whole) return 'A'
  return before * 100n < 95n * whole ? 'B' : 'C'
}
