/** PostgreSQL's text of a field as the number that Parquet holds. Nothing goes through a float that would change it. */
import type { ColumnType } from '../../../model/terms.ts'
import { isDigit, MINUS, POINT, ZERO } from '../digits.ts'
import { NoRoomError } from '../format.ts'
import { microsOfText, readDay, readMicros, readMonth } from './date.ts'

/** Of numeric, which says of no column how many digits it has: all figures of a column need one scale. */
export const DECIMAL_SCALE = 6
/** The most that 64 bits have room for. */
export const DECIMAL_PRECISION = 18

export type NumberType = Exclude<ColumnType, 'text'>

/** How a type of Parquet holds values. */
export interface PhysicalValue {
  /** In bytes. */
  readonly width: 4 | 8
  /** NaN if the field is not of the type, or not a safe integer. */
  readonly read: (from: Buffer, start: number, end: number) => number
  /** Undefined if `read` reads all values of the type. */
  readonly exact?: {
    /** Undefined if the field is not of the type, null if Parquet cannot hold all of it. */
    readonly read: (raw: string) => bigint | null | undefined
    /** What Parquet can hold. */
    readonly limit: { readonly ru: string; readonly en: string }
  }
}

/** @param rowNumber of the response's rows, from 1 */
export function doesNotFit(
  key: string,
  rowNumber: number,
  raw: string,
  limit: { readonly ru: string; readonly en: string },
): NoRoomError {
  const found = raw.length > 80 ? `${raw.slice(0, 80)}...` : raw
  return new NoRoomError({
    ru: `Строка ${rowNumber}, столбец ${key}: ${found} не помещается в Parquet, в нём ${limit.ru}. Возьмите JSON или CSV.`,
    en: `Row ${rowNumber}, column ${key}: ${found} does not fit into Parquet, which has room for ${limit.en}. Take JSON or CSV.`,
  })
}

const WHOLE_DIGITS = DECIMAL_PRECISION - DECIMAL_SCALE

const INTEGER: PhysicalValue = {
  width: 8,
  read: readInteger,
  exact: {
    read: integerOfText,
    limit: { ru: 'целые числа до 64 бит', en: 'integers of 64 bits' },
  },
}
const DECIMAL: PhysicalValue = {
  width: 8,
  read: readDecimal,
  exact: {
    read: decimalOfText,
    limit: {
      ru: `числа до ${WHOLE_DIGITS} цифр до запятой и ${DECIMAL_SCALE} после неё`,
      en: `numbers of ${WHOLE_DIGITS} digits before the point and ${DECIMAL_SCALE} after it`,
    },
  },
}
const INSTANT: PhysicalValue = {
  width: 8,
  read: readMicros,
  exact: {
    read: microsOfText,
    limit: { ru: 'время до микросекунды', en: 'instants to the microsecond' },
  },
}

const PHYSICAL_VALUES: Readonly<Record<NumberType, PhysicalValue>> = {
  integer: INTEGER,
  money: INTEGER,
  number: DECIMAL,
  percent: DECIMAL,
  date: { width: 4, read: readDay },
  month: { width: 4, read: readMonth },
  datetime: INSTANT,
}

export function physicalValue(type: NumberType): PhysicalValue {
  return PHYSICAL_VALUES[type]
}

/** So many digits are always a safe integer. */
const SAFE_DIGITS = 15

/** `-?\d{1,15}` */
function readInteger(bytes: Buffer, start: number, end: number): number {
  const isNegative = bytes[start] === MINUS
  const first = isNegative ? start + 1 : start
  if (first === end || end - first > SAFE_DIGITS) return Number.NaN
  const value = readDigits(bytes, first, end)
  return isNegative ? -value : value
}

/** `-?\d{1,9}(\.\d{1,6})?`, in millionths */
function readDecimal(bytes: Buffer, start: number, end: number): number {
  const isNegative = bytes[start] === MINUS
  const first = isNegative ? start + 1 : start
  let point = first
  while (point < end && bytes[point] !== POINT) point += 1
  if (point === first || point - first > SAFE_DIGITS - DECIMAL_SCALE) return Number.NaN
  let value = readDigits(bytes, first, point)
  let decimals = 0
  if (point < end) {
    decimals = end - point - 1
    if (decimals === 0 || decimals > DECIMAL_SCALE) return Number.NaN
    value = value * POWERS[decimals]! + readDigits(bytes, point + 1, end)
  }
  value *= POWERS[DECIMAL_SCALE - decimals]!
  return isNegative ? -value : value
}

const POWERS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]

/** NaN where one is none. */
function readDigits(bytes: Buffer, start: number, end: number): number {
  let value = 0
  for (let place = start; place < end; place += 1) {
    const byte = bytes[place]!
    if (!isDigit(byte)) return Number.NaN
    value = value * 10 + byte - ZERO
  }
  return value
}

function integerOfText(raw: string): bigint | null | undefined {
  if (!/^-?\d+$/.test(raw)) return undefined
  const value = BigInt(raw)
  return BigInt.asIntN(64, value) === value ? value : null
}

const DECIMAL_LIMIT = 10n ** BigInt(DECIMAL_PRECISION)

function decimalOfText(raw: string): bigint | null | undefined {
  const [matched, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(raw) ?? []
  if (matched === undefined) return undefined
  // why: numeric keeps the zeros of a division, and they say nothing
  const kept = fraction.replace(/0+$/, '')
  if (kept.length > DECIMAL_SCALE) return null
  const value = BigInt(whole + kept.padEnd(DECIMAL_SCALE, '0'))
  if (value >= DECIMAL_LIMIT) return null
  return sign === '-' ? -value : value
}
