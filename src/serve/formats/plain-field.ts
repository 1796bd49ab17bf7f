/**
 * Writes one field other than text for machines: digits are copied, never converted to a float; dates are ISO 8601.
 * Writes no quotes.
 */
import { viewOf } from '../../model/row-bytes.ts'
import type { ColumnType, MetricFormat } from '../../model/terms.ts'
import { copyBytes, isDateText, isMonth, pointOf } from './digits.ts'
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
    const bytes = room * 2 > scratch.bytes.length ? Buffer.alloc(room * 2) : scratch.bytes
    const both = bytes === scratch.bytes ? scratch : { bytes, view: viewOf(bytes) }
    const end = write(both, room, room + bytes.write(raw, room), both, 0)
    return end < 0 ? undefined : bytes.toString('latin1', 0, end)
  }
}

const scratchBytes = Buffer.alloc(256)
const scratch = { bytes: scratchBytes, view: viewOf(scratchBytes) }

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
