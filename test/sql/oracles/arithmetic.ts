/** Exact arithmetic for oracles: kopecks are bigint, ratios are rounded half away from zero. */
export function sum(values: Iterable<bigint>): bigint {
  let total = 0n
  for (const value of values) total += value
  return total
}

/** The sum of each of these columns. */
export function sums<Column extends string>(
  rows: readonly Readonly<Record<Column, bigint>>[],
  columns: readonly Column[],
): Readonly<Record<NoInfer<Column>, bigint>> {
  const entries = columns.map(column => [column, sum(rows.map(row => row[column]))])
  return Object.fromEntries(entries) as Record<Column, bigint>
}

export function count(list: readonly unknown[]): bigint {
  return BigInt(list.length)
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}

/** `numerator / denominator` rounded half away from zero. */
export function divide(numerator: bigint, denominator: bigint): bigint {
  const quotient = (2n * absolute(numerator) + absolute(denominator)) / (2n * absolute(denominator))
  return numerator < 0n === denominator < 0n ? quotient : -quotient
}

/** An integer number of `10^-decimals` as decimal text. */
export function decimal(value: bigint, decimals: number): string {
  const digits = absolute(value)
    .toString()
    .padStart(decimals + 1, '0')
  const split = digits.length - decimals
  return `${value < 0n ? '-' : ''}${digits.slice(0, split)}.${digits.slice(split)}`
}

/** Decimal text as an integer number of `10^-decimals`. */
export function scaled(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  if (fraction.length > decimals) throw new Error(`${text} has more than ${decimals} decimals`)
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** A ratio to the given decimals; null unless the denominator is above 0. */
export function ratio(numerator: bigint, denominator: bigint, decimals: number): string | null {
  if (denominator <= 0n) return null
  return decimal(divide(numerator * 10n ** BigInt(decimals), denominator), decimals)
}

/** A share in percent to 1 decimal; null unless the denominator is above 0. */
export function percent(numerator: bigint, denominator: bigint): string | null {
  return ratio(100n * numerator, denominator, 1)
}

function sorted(values: readonly bigint[]): bigint[] {
  return values.toSorted((a, b) => Number(a > b) - Number(a < b))
}

/** The median in units of `unit`, to 1 decimal: the mean of the two in the middle. */
export function median(values: readonly bigint[], unit: bigint): string | null {
  if (values.length === 0) return null
  const ordered = sorted(values)
  const middle = (values.length - 1) / 2
  const [low, high] = [ordered[Math.floor(middle)] ?? 0n, ordered[Math.ceil(middle)] ?? 0n]
  return decimal(divide(10n * (low + high), 2n * unit), 1)
}

/** The smallest value that at least nine tenths do not exceed, in units of `unit`, to 1 decimal. */
export function ninetieth(values: readonly bigint[], unit: bigint): string | null {
  if (values.length === 0) return null
  const rank = Math.ceil((values.length * 9) / 10)
  return decimal(divide(10n * (sorted(values)[rank - 1] ?? 0n), unit), 1)
}
