/** Prepares the values of rows for all formats, so that they agree: those that none can hold become null. */
import type { Definition } from '../../definitions/definition.ts'
import type { Observe } from '../../model/observation.ts'
import type { ColumnType, MetricFormat } from '../../model/terms.ts'
import type { RowBytes } from '../../model/row-bytes.ts'
import { createValueEnd, isDateType, type ValueEnd } from '../formats/value-end.ts'
import { OID } from './column-types.ts'
import type { Field } from '../database/result-reader.ts'

/** A column whose values may have to be prepared: dates and numerics. */
export interface PreparedColumn {
  readonly name: string
  /** Index of the field in a row. */
  readonly fieldIndex: number
  readonly valueEnd: ValueEnd
}

export function preparedColumns(
  columns: Iterable<readonly [name: string, ColumnType | MetricFormat]>,
  fields: readonly Field[],
  indexes: ReadonlyMap<string, number>,
  timeZone: string,
): PreparedColumn[] {
  return Array.from(columns).flatMap(([name, type]) => {
    const fieldIndex = indexes.get(name) ?? -1
    const isNumeric = fields[fieldIndex]?.typeId === OID.numeric
    if (type === 'text' || !(isNumeric || isDateType(type))) return []
    return [{ name, fieldIndex, valueEnd: createValueEnd(type, timeZone) }]
  })
}

/** Column to the number of values that became null. */
export type NulledCounts = Map<string, number>

/** Prepares the values of a row in place. */
export function prepareValues(
  row: RowBytes,
  columns: readonly PreparedColumn[],
  counts: NulledCounts,
): void {
  const { starts, ends } = row
  for (let index = 0; index < columns.length; index += 1) {
    const { name, fieldIndex, valueEnd } = columns[index]!
    const start = starts[fieldIndex]!
    if (start < 0) continue
    const end = valueEnd(row, start, ends[fieldIndex]!)
    if (end >= 0) ends[fieldIndex] = end
    else {
      starts[fieldIndex] = -1
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
}

export function observeNulled(
  observe: Observe,
  { name: definition }: Definition,
  counts: ReadonlyMap<string, number>,
): void {
  counts.forEach((valueCount, column) =>
    observe({ kind: 'values-nulled', definition, column, valueCount }),
  )
}
