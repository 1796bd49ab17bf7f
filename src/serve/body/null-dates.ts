/** Replaces dates outside the supported range with null before a row is written, so that all formats agree. */
import { createIsOutOfRange, type DateType } from '../formats/date-range.ts'
import type { RowBytes } from '../../model/row-bytes.ts'

export interface DateColumn {
  readonly name: string
  readonly type: DateType
  /** Index of the field in a row. */
  readonly fieldIndex: number
}

export interface NullDates {
  /** Returns a function that replaces the dates of a row in place. */
  of(columns: readonly DateColumn[]): (row: RowBytes) => void
  /** Column to the number of replaced values. */
  readonly counts: ReadonlyMap<string, number>
}

export function createNullDates(timeZone: string): NullDates {
  const counts = new Map<string, number>()
  return {
    of(columns) {
      const checks = columns.map(({ name, type, fieldIndex }) => {
        return { name, fieldIndex, isOutOfRange: createIsOutOfRange(type, timeZone) }
      })
      return row => {
        for (let index = 0; index < checks.length; index += 1) {
          const { name, fieldIndex, isOutOfRange } = checks[index]!
          const start = row.starts[fieldIndex]!
          if (start < 0 || !isOutOfRange(row, start, row.ends[fieldIndex]!)) continue
          row.starts[fieldIndex] = -1
          counts.set(name, (counts.get(name) ?? 0) + 1)
        }
      }
    },
    counts,
  }
}
