/** Reads PostgreSQL's text as Parquet's values, without floats that would change them. */
import { isUtf8 } from 'node:buffer'
import type { ByteView } from '../../../model/row-bytes.ts'
import type { Column, ColumnType } from '../../../model/terms.ts'
import { readDay, readMonth } from '../day-number.ts'
import { isUtcInstant, MINUS, pointOf, readMinutes, readTwo, SECONDS_LENGTH } from '../digits.ts'
import { ZERO, ZONE_LENGTH } from '../digits.ts'
import { fieldError, OutputFullError } from '../format.ts'

/** The scale of all DECIMAL columns: Parquet requires one for each column, and PostgreSQL's results have none. */
export const DECIMAL_SCALE = 6
/** The maximum for 64 bits. */
export const DECIMAL_PRECISION = 18

/** A bigint has 64 bits, a number 32. NaN if the field is not of the type, null if Parquet cannot contain it. */
type Read = (from: ByteView, start: number, end: number) => Uint8Array | bigint | number | null

const READERS: Readonly<Record<ColumnType, Read>> = {
  text: readText,
  integer: (from, start, end) => readScaled(from, start, end, 0),
  money: (from, start, end) => readScaled(from, start, end, 0),
  number: (from, start, end) => readScaled(from, start, end, DECIMAL_SCALE),
  percent: (from, start, end) => readScaled(from, start, end, DECIMAL_SCALE),
  date: readDay,
  month: readMonth,
  datetime: readMicros,
}

/** @param rowNumber of the response, from 1 @throws FieldError, OutputFullError */
export function createReadValue({ key, type }: Column) {
  const read = READERS[type]
  return (from: ByteView, start: number, end: number, rowNumber: number) => {
    const value = read(from, start, end)
    if (value !== null && !Number.isNaN(value)) return value
    const raw = from.bytes.toString('utf8', start, end)
    throw value === null ? doesNotFit(key, rowNumber, raw) : fieldError(key, type, raw)
  }
}

const WHOLE_DIGITS = DECIMAL_PRECISION - DECIMAL_SCALE

function doesNotFit(key: string, rowNumber: number, raw: string): OutputFullError {
  const value = raw.length > 80 ? `${raw.slice(0, 80)}...` : raw
  return new OutputFullError({
    ru: `Строка ${rowNumber}, столбец ${key}: ${value} не помещается в Parquet, в нём целые числа до 64 бит и числа до ${WHOLE_DIGITS} цифр до запятой. Возьмите JSON или CSV.`,
    en: `Row ${rowNumber}, column ${key}: ${value} does not fit into Parquet, which supports integers of 64 bits and numbers of ${WHOLE_DIGITS} digits before the point. Request JSON or CSV.`,
  })
}

/** Invalid UTF-8 of an SQL_ASCII database is replaced. */
function readText({ bytes }: ByteView, start: number, end: number): Uint8Array {
  const text = bytes.subarray(start, end)
  return isUtf8(text) ? text : Buffer.from(text.toString())
}

const FIVE = ZERO + 5
const DECIMAL_LIMIT = 10n ** BigInt(DECIMAL_PRECISION)

/**
 * Reads `-?\d+`, or `-?\d+(\.\d+)?` if `scale` is above 0, as an integer with `scale` decimals. Further decimals are
 * rounded half away from zero, as PostgreSQL's `round` does.
 */
function readScaled(
  { bytes }: ByteView,
  start: number,
  end: number,
  scale: number,
): bigint | number | null {
  const point = pointOf(bytes, start, end)
  if (point < 0 || (scale === 0 && point < end)) return Number.NaN
  const isNegative = bytes[start] === MINUS
  const last = Math.min(end, point + 1 + scale)
  const missing = scale - Math.max(0, last - point - 1)
  const rounding = last < end && bytes[last]! >= FIVE ? 1 : 0
  let value = 0
  for (let index = isNegative ? start + 1 : start; index < last; index += 1) {
    if (index !== point) value = value * 10 + bytes[index]! - ZERO
  }
  value = value * 10 ** missing + rounding
  if (Number.isSafeInteger(value)) return BigInt(isNegative ? -value : value)
  const digits = bytes.toString('latin1', start, last).replace('.', '') + '0'.repeat(missing)
  const exact = BigInt(digits) + BigInt(isNegative ? -rounding : rounding)
  const fits =
    scale === 0
      ? BigInt.asIntN(64, exact) === exact
      : exact < DECIMAL_LIMIT && exact > -DECIMAL_LIMIT
  return fits ? exact : null
}

const DAY_SECONDS = 86_400
const SECOND_MICROS = 1_000_000n
const FRACTION_DIGITS = 6

function readMicros(from: ByteView, start: number, end: number): bigint | number {
  const { bytes } = from
  const fraction = start + SECONDS_LENGTH + 1
  const zone = end - ZONE_LENGTH
  const isInstant = isUtcInstant(bytes, start, end) && zone - fraction <= FRACTION_DIGITS
  const day = isInstant ? readDay(from, start, start + 10) : Number.NaN
  if (Number.isNaN(day)) return day
  const seconds = readMinutes(bytes, start + 11) * 60 + readTwo(bytes, start + 17)
  let micros = 0
  for (let index = fraction; index < fraction + FRACTION_DIGITS; index += 1) {
    micros = micros * 10 + (index < zone ? bytes[index]! - ZERO : 0)
  }
  return BigInt(day * DAY_SECONDS + seconds) * SECOND_MICROS + BigInt(micros)
}
