/** Converts PostgreSQL's text to Parquet's numbers, without floats that would change the value. */
import type { ColumnType } from '../../../model/terms.ts'
import { isDigit, MINUS, POINT, ZERO } from '../digits.ts'
import { readDay, readMicros, readMonth } from './date.ts'

/** The scale of all DECIMAL columns: Parquet requires one for each column, and PostgreSQL's results have none. */
export const DECIMAL_SCALE = 6
/** The maximum for 64 bits. */
export const DECIMAL_PRECISION = 18

export type NumberType = Exclude<ColumnType, 'text'>

/** The physical type of values in Parquet. */
export interface PhysicalValue {
  /** Bytes. */
  readonly width: 4 | 8
  /** NaN if the field is not of the type, null if Parquet cannot contain it, a bigint if it is not a safe integer. */
  readonly read: (from: Buffer, start: number, end: number) => number | bigint | null
  /** The supported values; undefined if all are. */
  readonly limit?: { readonly ru: string; readonly en: string }
}

const WHOLE_DIGITS = DECIMAL_PRECISION - DECIMAL_SCALE
const DECIMAL_LIMIT = 10n ** BigInt(DECIMAL_PRECISION)

const INTEGER: PhysicalValue = {
  width: 8,
  read: (from, start, end) => readScaled(from, start, end, 0, isInteger),
  limit: { ru: 'целые числа до 64 бит', en: 'integers of 64 bits' },
}
const DECIMAL: PhysicalValue = {
  width: 8,
  read: (from, start, end) => readScaled(from, start, end, DECIMAL_SCALE, isDecimal),
  limit: {
    ru: `числа до ${WHOLE_DIGITS} цифр до запятой`,
    en: `numbers of ${WHOLE_DIGITS} digits before the point`,
  },
}

const PHYSICAL_VALUES: Readonly<Record<NumberType, PhysicalValue>> = {
  integer: INTEGER,
  money: INTEGER,
  number: DECIMAL,
  percent: DECIMAL,
  date: { width: 4, read: readDay },
  month: { width: 4, read: readMonth },
  datetime: {
    width: 8,
    read: readMicros,
    limit: { ru: 'время до микросекунды', en: 'instants to the microsecond' },
  },
}

export function physicalValue(type: NumberType): PhysicalValue {
  return PHYSICAL_VALUES[type]
}

function isInteger(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}

function isDecimal(value: bigint): boolean {
  return value > -DECIMAL_LIMIT && value < DECIMAL_LIMIT
}

const FIVE = ZERO + 5
const POWERS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]

/**
 * Reads `-?\d+`, or `-?\d+(\.\d+)?` if `scale` is above 0, as an integer with `scale` decimals. Further decimals are
 * rounded half away from zero, as PostgreSQL's `round` does.
 */
function readScaled(
  from: Buffer,
  start: number,
  end: number,
  scale: number,
  isInRange: (value: bigint) => boolean,
): number | bigint | null {
  const isNegative = from[start] === MINUS
  const first = isNegative ? start + 1 : start
  if (first >= end || from[end - 1] === POINT) return Number.NaN
  let value = 0
  let point = end
  let roundsUp = false
  for (let index = first; index < end; index += 1) {
    const byte = from[index]!
    if (isDigit(byte)) {
      if (index <= point + scale) value = value * 10 + byte - ZERO
      else if (index === point + scale + 1) roundsUp = byte >= FIVE
    } else if (byte === POINT && scale > 0 && point === end && index > first) point = index
    else return Number.NaN
  }
  value = value * POWERS[Math.max(0, scale - Math.max(0, end - point - 1))]! + Number(roundsUp)
  if (Number.isSafeInteger(value)) return isNegative ? -value : value
  const whole = from.toString('latin1', start, point)
  const decimals = from.toString('latin1', point + 1, Math.min(end, point + 1 + scale))
  const step = roundsUp ? (isNegative ? -1n : 1n) : 0n
  const exact = BigInt(whole + decimals.padEnd(scale, '0')) + step
  return isInRange(exact) ? exact : null
}
