/** Prepares the values of rows for all formats, so that they agree: those that none can hold become null. */
import type { Definition } from '../../definitions/definition.ts'
import type { Observe } from '../../model/observation.ts'
import type { RowBytes } from '../../model/row-bytes.ts'
import type { ResultColumn } from './result-columns.ts'

/** Column to the number of values that became null. */
export type NulledCounts = Map<string, number>

/** Prepares the values of a row in place. */
export function prepareValues(
  row: RowBytes,
  columns: readonly ResultColumn[],
  counts: NulledCounts,
): void {
  const { starts, ends } = row
  for (let index = 0; index < columns.length; index += 1) {
    const { name, fieldIndex, valueEnd } = columns[index]!
    const start = starts[fieldIndex]!
    if (start < 0 || valueEnd === undefined) continue
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
