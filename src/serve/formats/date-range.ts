/**
 * The supported range of dates: the years 0001-9999. PostgreSQL also has `infinity`, years BC and years of five and
 * more digits, which ISO 8601 and most readers do not support.
 */
import type { ByteView } from '../../model/row-bytes.ts'
import type { ColumnType, MetricFormat } from '../../model/terms.ts'
import { isDigit, MINUS } from './digits.ts'
import { createPlainText } from './plain-field.ts'

export type DateType = Extract<ColumnType, 'date' | 'month' | 'datetime'>

/** True for a date outside the range; false for a field that is not a date. */
type IsOutOfRange = (from: ByteView, start: number, end: number) => boolean

export function isDateType(type: ColumnType | MetricFormat): type is DateType {
  return type === 'date' || type === 'month' || type === 'datetime'
}

const LETTER_C = 0x43
const YEAR_LENGTH = 4
const MONTH_LENGTH = '2026-03'.length
/** The four ASCII digits of a year, read as one 32-bit integer. */
const YEAR_0000 = 0x30303030
const YEAR_0001 = 0x30303031
const YEAR_9999 = 0x39393939

const OUT_OF_RANGE = /^-?infinity$|^\d{4,}-\d\d.* BC$|^\d{5,}-\d\d/

/** An instant is in range if both its UTC date and its date in the time zone are. */
export function createIsOutOfRange(type: DateType, timeZone: string): IsOutOfRange {
  const localText = createPlainText(type, timeZone)
  return ({ bytes, view }, start, end) => {
    const isFourDigitYear =
      end - start >= MONTH_LENGTH &&
      isDigit(bytes[start]!) &&
      bytes[start + YEAR_LENGTH] === MINUS &&
      bytes[end - 1] !== LETTER_C
    if (!isFourDigitYear) return OUT_OF_RANGE.test(bytes.toString('latin1', start, end))
    const year = view.getInt32(start)
    if (year === YEAR_0000) return true
    if (type !== 'datetime' || (year !== YEAR_0001 && year !== YEAR_9999)) return false
    const local = localText(bytes.toString('latin1', start, end))
    return local === undefined || local.startsWith('0000')
  }
}
