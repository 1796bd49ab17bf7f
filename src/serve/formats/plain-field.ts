/**
 * Writes one field other than text for machines: digits are copied, never converted to a float; dates are ISO 8601.
 * Writes no quotes.
 */
import type { ColumnType, MetricFormat } from '../../model/terms.ts'
import { copyBytes, isDateText, isMonth, pointOf, writeHundredth } from './digits.ts'
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

/** Writes `-1234.50` for the kopecks `-123450`. */
export const writeRoubles: WriteBytes = ({ bytes: from }, start, end, { bytes: to }, at) =>
  pointOf(from, start, end) === end ? writeHundredth(from, start, end, end, to, at) : -1
