/**
 * Writes one field other than text for machines: digits are copied, never converted to a float; dates are ISO 8601.
 * Writes no quotes.
 */
import { viewOf, type ByteView } from '../../model/row-bytes.ts'
import type { ColumnType, MetricFormat } from '../../model/terms.ts'
import { copyBytes, isDateText, isMonth, pointOf, isDigit, MINUS, POINT, ZERO } from './digits.ts'
import type { WriteBytes } from './format.ts'
import { createLocalInstant } from './local-instant.ts'

/** Maximum length that is added to a field: quotes, `T`, `+03:00` instead of `+00`. */
export const MAX_ADDED_BYTES = 16

export function createWritePlain(
  type: Exclude<ColumnType, 'text'> | MetricFormat,
  timeZone: string,
): WriteBytes {
  switch (type) {
    case 'integer':
    case 'money':
      return writeInteger
    case 'number':
    case 'percent':
    case 'days':
    case 'hours':
      return writeDecimal
    case 'date':
      return writeDate
    case 'month':
      return writeMonth
    case 'datetime':
      return createLocalInstant(timeZone)
  }
}

/** The returned function gives the field as `createWritePlain` writes it; undefined if it is not of the type. */
export function createPlainText(
  type: Parameters<typeof createWritePlain>[0],
  timeZone: string,
): (raw: string) => string | undefined {
  const write = createWritePlain(type, timeZone)
  return raw => {
    const room = Buffer.byteLength(raw) + MAX_ADDED_BYTES
    const bytes = Buffer.allocUnsafe(room * 2)
    const both = { bytes, view: viewOf(bytes) }
    const end = write(both, room, room + bytes.write(raw, room), both, 0)
    return end < 0 ? undefined : bytes.toString('latin1', 0, end)
  }
}

/** `-?\d+` */
const writeInteger: WriteBytes = ({ bytes: from }, start, end, { bytes: to }, at) =>
  pointOf(from, start, end) === end ? copyBytes(from, start, end, to, at) : -1

/** `-?\d+(\.\d+)?` */
const writeDecimal: WriteBytes = ({ bytes: from }, start, end, { bytes: to }, at) =>
  pointOf(from, start, end) < 0 ? -1 : copyBytes(from, start, end, to, at)

/** `\d{4}-\d\d-\d\d` */
const writeDate: WriteBytes = ({ bytes: from }, start, end, { bytes: to }, at) =>
  end - start === 10 && isDateText(from, start) ? copyBytes(from, start, end, to, at) : -1

/** `\d{4}-\d\d`; the rest is ignored. */
const writeMonth: WriteBytes = ({ bytes: from }, start, end, { bytes: to }, at) =>
  end - start >= 7 && isMonth(from, start) ? copyBytes(from, start, start + 7, to, at) : -1

/** The end of the value, without the zero decimals of an integer or money; -1 if it is sent as null. */
export type ValueEnd = (from: ByteView, start: number, end: number) => number

export function isDateType(
  type: ColumnType | MetricFormat,
): type is Extract<ColumnType, 'date' | 'month' | 'datetime'> {
  return type === 'date' || type === 'month' || type === 'datetime'
}

export function createValueEnd(
  type: Exclude<ColumnType, 'text'> | MetricFormat,
  timeZone: string,
): ValueEnd {
  if (type === 'date' || type === 'month') return dateEnd
  if (type === 'datetime') return createInstantEnd(timeZone)
  return type === 'integer' || type === 'money' ? wholeEnd : numberEnd
}

const LETTER_C = 0x43
const YEAR_LENGTH = 4
const MONTH_LENGTH = '2026-03'.length
/** The four ASCII digits of a year, read as one 32-bit integer. */
const YEAR_0000 = 0x30303030
const YEAR_0001 = 0x30303031
const YEAR_9999 = 0x39393939
const OUT_OF_RANGE = /^-?infinity$|^\d{4,}-\d\d.* BC$|^\d{5,}-\d\d/

const dateEnd: ValueEnd = ({ bytes, view }, start, end) => {
  const isFourDigitYear =
    end - start >= MONTH_LENGTH &&
    isDigit(bytes[start]!) &&
    bytes[start + YEAR_LENGTH] === MINUS &&
    bytes[end - 1] !== LETTER_C
  const isOut = isFourDigitYear
    ? view.getInt32(start) === YEAR_0000
    : OUT_OF_RANGE.test(bytes.toString('latin1', start, end))
  return isOut ? -1 : end
}

/** An instant is in range if both its UTC date and its date in the time zone are. */
function createInstantEnd(timeZone: string): ValueEnd {
  const localText = createPlainText('datetime', timeZone)
  return (from, start, end) => {
    if (dateEnd(from, start, end) < 0) return -1
    const year = end - start < MONTH_LENGTH ? 0 : from.view.getInt32(start)
    if (year !== YEAR_0001 && year !== YEAR_9999) return end
    const local = localText(from.bytes.toString('latin1', start, end))
    return local === undefined || local.startsWith('0000') ? -1 : end
  }
}

const NOT_FINITE = /^(?:NaN|-?Infinity)$/

const numberEnd: ValueEnd = ({ bytes }, start, end) =>
  !isDigit(bytes[end - 1]!) && NOT_FINITE.test(bytes.toString('latin1', start, end)) ? -1 : end

const wholeEnd: ValueEnd = (from, start, end) => {
  const { bytes } = from
  if (bytes[end - 1] !== ZERO) return numberEnd(from, start, end)
  let index = end - 1
  while (index > start && bytes[index] === ZERO) index -= 1
  return index > start && bytes[index] === POINT ? index : end
}
