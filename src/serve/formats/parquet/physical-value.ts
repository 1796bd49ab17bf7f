/** Converts PostgreSQL's text to Parquet's numbers, without floats that would change the value. */
import type { ColumnType } from '../../../model/terms.ts'
import type { ByteView } from '../../../model/row-bytes.ts'
import { readDay, readMonth } from '../day-number.ts'
import { isDigit, isUtcInstant, MINUS, POINT, readMinutes, readTwo } from '../digits.ts'
import { SECONDS_LENGTH, ZERO, ZONE_LENGTH } from '../digits.ts'

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
  readonly read: (from: ByteView, start: number, end: number) => number | bigint | null
  /** The supported values; undefined if all are. */
  readonly limit?: { readonly ru: string; readonly en: string }
}

const WHOLE_DIGITS = DECIMAL_PRECISION - DECIMAL_SCALE
const DECIMAL_LIMIT = 10n ** BigInt(DECIMAL_PRECISION)

const INTEGER: PhysicalValue = {
  width: 8,
  read: ({ bytes }, start, end) => readScaled(bytes, start, end, 0, isInteger),
  limit: { ru: 'целые числа до 64 бит', en: 'integers of 64 bits' },
}
const DECIMAL: PhysicalValue = {
  width: 8,
  read: ({ bytes }, start, end) => readScaled(bytes, start, end, DECIMAL_SCALE, isDecimal),
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

const DAY_SECONDS = 86_400
const MICROS = 1_000_000
const MICROS_DIGITS = 6

/** Microseconds; null if the fraction is finer. A bigint if the value is not a safe integer. */
function readMicros(row: ByteView, start: number, end: number): number | bigint | null {
  const from = row.bytes
  if (!isUtcInstant(from, start, end)) return Number.NaN
  const day = readDay(row, start, start + 10)
  const minutes = readMinutes(from, start + 11)
  const seconds = day * DAY_SECONDS + minutes * 60 + readTwo(from, start + 17)
  if (Number.isNaN(seconds)) return seconds
  const fraction = start + SECONDS_LENGTH + 1
  const zone = end - ZONE_LENGTH
  let micros = 0
  for (let index = fraction; index < fraction + MICROS_DIGITS; index += 1) {
    micros = micros * 10 + (index < zone ? from[index]! - ZERO : 0)
  }
  for (let index = fraction + MICROS_DIGITS; index < zone; index += 1) {
    // why: trailing zeros do not change the value
    if (from[index] !== ZERO) return null
  }
  const value = seconds * MICROS + micros
  if (Number.isSafeInteger(value)) return value
  return BigInt(seconds) * BigInt(MICROS) + BigInt(micros)
}
