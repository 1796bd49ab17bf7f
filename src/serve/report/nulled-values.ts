/** Prepares the values of rows for all formats, so that they agree: those that none can hold become null. */
import type { Definition } from '../../definitions/definition.ts'
import type { Observe } from '../../model/observation.ts'
import type { ColumnType, MetricFormat } from '../../model/terms.ts'
import type { RowBytes } from '../../model/row-bytes.ts'
import { isDateType } from '../formats/date-range.ts'
import { createValueEnd } from '../formats/value-end.ts'
import { OID } from '../database/column-types.ts'
import type { Field } from '../database/prepared.ts'

export interface ValueColumn {
  readonly name: string
  readonly type: Exclude<ColumnType, 'text'> | MetricFormat
  /** Index of the field in a row. */
  readonly fieldIndex: number
}

export interface NulledValues {
  /** Returns a function that prepares the values of a row in place. */
  of(columns: readonly ValueColumn[]): (row: RowBytes) => void
  /** Column to the number of values that became null. */
  readonly counts: ReadonlyMap<string, number>
}

/** The columns whose values may have to be prepared: dates and numerics. */
export function valueColumns(
  columns: Iterable<readonly [name: string, ColumnType | MetricFormat]>,
  fields: readonly Field[],
  indexes: ReadonlyMap<string, number>,
): ValueColumn[] {
  return Array.from(columns).flatMap(([name, type]) => {
    const fieldIndex = indexes.get(name) ?? -1
    const isNumeric = fields[fieldIndex]?.typeId === OID.numeric
    return type !== 'text' && (isNumeric || isDateType(type)) ? [{ name, type, fieldIndex }] : []
  })
}

export function createNulledValues(timeZone: string): NulledValues {
  const counts = new Map<string, number>()
  return {
    of(columns) {
      const checks = columns.map(({ name, type, fieldIndex }) => {
        return { name, fieldIndex, valueEnd: createValueEnd(type, timeZone) }
      })
      return row => {
        for (let index = 0; index < checks.length; index += 1) {
          const { name, fieldIndex, valueEnd } = checks[index]!
          const start = row.starts[fieldIndex]!
          if (start < 0) continue
          const end = valueEnd(row, start, row.ends[fieldIndex]!)
          if (end >= 0) row.ends[fieldIndex] = end
          else {
            row.starts[fieldIndex] = -1
            counts.set(name, (counts.get(name) ?? 0) + 1)
          }
        }
      }
    },
    counts,
  }
}

export function observeNulled(
  observe: Observe,
  { name: definition }: Definition,
  counts: NulledValues['counts'],
): void {
  counts.forEach((valueCount, column) =>
    observe({ kind: 'values-nulled', definition, column, valueCount }),
  )
}
