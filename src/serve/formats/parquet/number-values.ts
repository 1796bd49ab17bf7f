/** The numbers, dates or instants of a column. */
import { ByteWriter } from 'hyparquet-writer'
import type { Column } from '../../../model/terms.ts'
import { fieldError, OutputFullError } from '../format.ts'
import type { ColumnValues } from './column-chunk.ts'
import { physicalValue, type NumberType, type PhysicalValue } from './physical-value.ts'

const TWO_32 = 2 ** 32

export function createNumberValues({
  key,
  type,
}: Column & { readonly type: NumberType }): ColumnValues {
  const { width, read, limit } = physicalValue(type)
  const page = new ByteWriter()
  let minimum: number | bigint = Infinity
  let maximum: number | bigint = -Infinity

  function write(value: number | bigint): void {
    if (value < minimum) minimum = value
    if (value > maximum) maximum = value
    page.ensure(width)
    const { view, index } = page
    if (typeof value === 'bigint') view.setBigInt64(index, value, true)
    else if (width === 8) {
      // why: a BigInt is ten times slower; both halves of a safe integer are exact
      view.setUint32(index, value >>> 0, true)
      view.setInt32(index + 4, Math.floor(value / TWO_32), true)
    } else view.setInt32(index, value, true)
    page.index += width
  }

  function toStatistic(value: number | bigint): number | bigint {
    return width === 8 ? BigInt(value) : value
  }

  return {
    add(from, start, end, rowNumber) {
      const value = read(from, start, end)
      if (value === null || Number.isNaN(value)) {
        const raw = from.bytes.toString('utf8', start, end)
        throw value === null ? doesNotFit(key, rowNumber, raw, limit!) : fieldError(key, type, raw)
      }
      write(value)
      return page.index
    },
    takePage() {
      const values = page.getBytes()
      page.index = 0
      return { values, encoding: 'PLAIN' }
    },
    takeGroup() {
      if (minimum > maximum) return {}
      const bounds = { min_value: toStatistic(minimum), max_value: toStatistic(maximum) }
      minimum = Infinity
      maximum = -Infinity
      return { bounds }
    },
  }
}

/** @param rowNumber of the response, from 1 */
function doesNotFit(
  key: string,
  rowNumber: number,
  raw: string,
  limit: NonNullable<PhysicalValue['limit']>,
): OutputFullError {
  const value = raw.length > 80 ? `${raw.slice(0, 80)}...` : raw
  return new OutputFullError({
    ru: `Строка ${rowNumber}, столбец ${key}: ${value} не помещается в Parquet, в нём ${limit.ru}. Возьмите JSON или CSV.`,
    en: `Row ${rowNumber}, column ${key}: ${value} does not fit into Parquet, which supports ${limit.en}. Request JSON or CSV.`,
  })
}
