/** A column of numbers, dates or instants. Knows of PostgreSQL's text only what reads it. */
import type { SchemaElement } from 'hyparquet'
import { viewOf } from '../../../model/row-bytes.ts'
import type { Bytes, Column } from '../../../model/terms.ts'
import { fieldError, NoRoomError } from '../format.ts'
import { withCapacity } from './capacity.ts'
import type { ColumnWriter } from './column-writer.ts'
import type { PageStore } from './page-store.ts'
import { createPages, PAGE_BYTES } from './pages.ts'
import { physicalValue, type NumberType, type PhysicalValue } from './physical-value.ts'

const TWO_32 = 2 ** 32
/** Most responses are short. */
const FIRST_BYTES: Bytes = 1024

export function createNumberColumn(
  { key, type }: Column & { readonly type: NumberType },
  element: SchemaElement,
  store: PageStore,
  turn: number,
): ColumnWriter {
  const { width, read, limit } = physicalValue(type)
  const pages = createPages(element, store, turn)
  let values = Buffer.allocUnsafeSlow(FIRST_BYTES)
  let view = viewOf(values)
  let length = 0
  let least: number | bigint = Infinity
  let most: number | bigint = -Infinity

  function write(value: number | bigint): void {
    if (value < least) least = value
    if (value > most) most = value
    if (length + width > values.length) {
      values = withCapacity(values, length + width)
      view = viewOf(values)
    }
    if (typeof value === 'bigint') view.setBigInt64(length, value, true)
    else if (width === 8) {
      // why: a BigInt would take ten times as long; of a safe integer both halves are exact
      view.setUint32(length, value >>> 0, true)
      view.setInt32(length + 4, Math.floor(value / TWO_32), true)
    } else view.setInt32(length, value, true)
    length += width
  }

  function closePage(): void {
    pages.close(values.subarray(0, length), 'PLAIN')
    length = 0
  }

  function bound(value: number | bigint): number | bigint {
    return width === 8 ? BigInt(value) : value
  }

  return {
    add(from, start, end, rowNumber) {
      const isNull = start < 0
      if (!isNull) {
        const value = read(from.bytes, start, end)
        if (value === null || Number.isNaN(value)) {
          const raw = from.bytes.toString('utf8', start, end)
          throw value === null
            ? doesNotFit(key, rowNumber, raw, limit!)
            : fieldError(key, type, raw)
        }
        write(value)
      }
      pages.addRow(isNull)
      if (pages.isFull() || length === PAGE_BYTES) closePage()
    },
    take() {
      closePage()
      const bounds = least <= most ? { min_value: bound(least), max_value: bound(most) } : {}
      least = Infinity
      most = -Infinity
      return pages.take(bounds)
    },
  }
}

/** @param rowNumber of the response's rows, from 1 */
function doesNotFit(
  key: string,
  rowNumber: number,
  raw: string,
  limit: NonNullable<PhysicalValue['limit']>,
): NoRoomError {
  const found = raw.length > 80 ? `${raw.slice(0, 80)}...` : raw
  return new NoRoomError({
    ru: `Строка ${rowNumber}, столбец ${key}: ${found} не помещается в Parquet, в нём ${limit.ru}. Возьмите JSON или CSV.`,
    en: `Row ${rowNumber}, column ${key}: ${found} does not fit into Parquet, which has room for ${limit.en}. Take JSON or CSV.`,
  })
}
