/**
 * Values that all formats can hold. PostgreSQL also has the numerics `NaN` and `Infinity`, dates outside the range, and
 * whole numerics with decimals such as `200185.00`.
 */
import type { ByteView } from '../../model/row-bytes.ts'
import type { ColumnType, MetricFormat } from '../../model/terms.ts'
import { createIsOutOfRange, isDateType } from './date-range.ts'
import { isDigit, POINT, ZERO } from './digits.ts'

/** The end of the value, without the zero decimals of an integer or money; -1 if it is sent as null. */
export type ValueEnd = (from: ByteView, start: number, end: number) => number

const NOT_FINITE = /^(?:NaN|-?Infinity)$/

export function createValueEnd(
  type: Exclude<ColumnType, 'text'> | MetricFormat,
  timeZone: string,
): ValueEnd {
  if (isDateType(type)) {
    const isOutOfRange = createIsOutOfRange(type, timeZone)
    return (from, start, end) => (isOutOfRange(from, start, end) ? -1 : end)
  }
  const isWhole = type === 'integer' || type === 'money'
  return ({ bytes }, start, end) => {
    const last = bytes[end - 1]!
    if (last === ZERO && isWhole) return endOfWhole(bytes, start, end)
    return !isDigit(last) && NOT_FINITE.test(bytes.toString('latin1', start, end)) ? -1 : end
  }
}

function endOfWhole(bytes: Buffer, start: number, end: number): number {
  let index = end - 1
  while (index > start && bytes[index] === ZERO) index -= 1
  return index > start && bytes[index] === POINT ? index : end
}
