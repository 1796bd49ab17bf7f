/** Dates that a column cannot show become null before a row is written, and so in every format alike. */
import { createIsOutOfRange, type DateType } from '../formats/date-range.ts'
import type { RowBytes } from '../row-bytes.ts'

/** A column of dates and where it stands in a row. */
export interface DateColumn {
  readonly name: string
  readonly type: DateType
  readonly place: number
}

export interface NullDates {
  /** Answers what changes a row: its dates in these columns. */
  of(columns: readonly DateColumn[]): (row: RowBytes) => void
  /** Column to the number of values that became null. */
  readonly counts: ReadonlyMap<string, number>
}

export function createNullDates(timeZone: string): NullDates {
  const counts = new Map<string, number>()
  return {
    of(columns) {
      const checks = columns.map(({ name, type, place }) => {
        return { name, place, isOutOfRange: createIsOutOfRange(type, timeZone) }
      })
      return row => {
        for (let order = 0; order < checks.length; order += 1) {
          const { name, place, isOutOfRange } = checks[order]!
          const start = row.starts[place]!
          if (start < 0 || !isOutOfRange(row, start, row.ends[place]!)) continue
          row.starts[place] = -1
          counts.set(name, (counts.get(name) ?? 0) + 1)
        }
      }
    },
    counts,
  }
}
