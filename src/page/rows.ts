/** Sorts, filters and sums rows. */
import type { TableColumn } from './api.ts'
import { sumCompared } from './comparison.ts'
import { formatValue } from './format.ts'
import type { CellValue } from './format.ts'
import type { Row } from './read-rows.ts'
import { normalize } from './search.ts'

const collator = new Intl.Collator('ru', { numeric: true })

/** @param sort key of a column, after `-` in descending order; unknown ones are ignored. Nulls are last. */
export function sortRows(rows: readonly Row[], sort: string | undefined): Row[] {
  const isDescending = sort?.startsWith('-') === true
  const key = isDescending ? sort.slice(1) : sort
  if (key === undefined || rows[0]?.[key] === undefined) return [...rows]
  const direction = isDescending ? -1 : 1
  return rows.toSorted((one, other) => {
    const [a, b] = [one[key], other[key]]
    if (a === null || a === undefined) return b === null || b === undefined ? 0 : 1
    if (b === null || b === undefined) return -1
    if (typeof a === 'number' && typeof b === 'number') return direction * (a - b)
    return direction * collator.compare(String(a), String(b))
  })
}

/** Rows that contain the text as it is shown, in any column. */
export function findRows(
  rows: readonly Row[],
  columns: readonly TableColumn[],
  find: string,
): readonly Row[] {
  const wanted = normalize(find).trim().replaceAll(/\s/g, ' ')
  if (wanted === '') return rows
  const isIn = (row: Row, { key, type }: TableColumn): boolean =>
    normalize(formatValue(row[key], type)).replaceAll(/\s/g, ' ').includes(wanted)
  return rows.filter(row => columns.some(column => isIn(row, column)))
}

/** Sums of the columns whose total is the sum of their rows, with compared values; null for others. */
export function sumRows(rows: readonly Row[], columns: readonly TableColumn[], label: string): Row {
  return Object.fromEntries(
    columns.flatMap(({ key, role, type, aggregation }): [string, CellValue][] => {
      if (role === 'label') return [[key, label]]
      // why: sums of fractions are not exact
      if (aggregation.rows !== 'sum' || type === 'number') return [[key, null]]
      const sum = rows.reduce((total, row) => total + Number(row[key] ?? 0), 0)
      return [[key, sum], ...sumCompared(rows, key, sum)]
    }),
  )
}
