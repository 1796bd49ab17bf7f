/** How a result differs from one that must be the same. Knows no database. */
import type { RawField } from '../../model/terms.ts'
import type { QueryResult } from './session.ts'
import { OID } from '../../serve/report/result-columns.ts'

export interface Difference {
  /** The first column that differs in the first row that differs. */
  readonly column: string
  /** Position among the rows without the totals row; the totals row is 'totals'. */
  readonly row: number | 'totals'
  readonly expected: RawField | undefined
  readonly found: RawField | undefined
  /** Whether both results have the same rows in a different order. */
  readonly isOrderAlone: boolean
}

/** Undefined if the results are the same. */
export function difference(expected: QueryResult, found: QueryResult): Difference | undefined {
  const expectedRows = rowsOf(expected)
  const foundRows = rowsOf(found)
  const totalAt = expected.fields.findIndex(({ name }) => name === 'is_total')
  const length = Math.max(expectedRows.length, foundRows.length)
  for (let row = 0; row < length; row++) {
    const expectedRow = expectedRows[row]
    const foundRow = foundRows[row]
    const at = expected.fields.findIndex((_, index) => expectedRow?.[index] !== foundRow?.[index])
    if (at === -1) continue
    // why: readers count rows without the totals row
    const longer = (expectedRow === undefined ? foundRows : expectedRows).slice(0, row + 1)
    const isTotal = longer.at(-1)?.[totalAt] === 't'
    return {
      column: expected.fields[at]?.name ?? '',
      row: isTotal ? 'totals' : longer.filter(one => one[totalAt] !== 't').length,
      expected: expectedRow?.[at],
      found: foundRow?.[at],
      isOrderAlone: sorted(expectedRows) === sorted(foundRows),
    }
  }
  return undefined
}

type Rows = ReadonlyArray<readonly RawField[]>

/** Rows with instants in milliseconds, which do not depend on the session time zone. */
function rowsOf({ fields, rows }: QueryResult): Rows {
  const instants = fields.map(({ typeId }) => typeId === OID.TIMESTAMPTZ)
  if (!instants.includes(true)) return rows
  return rows.map(row =>
    row.map((value, at) => (instants[at] === true ? String(Date.parse(value ?? '')) : value)),
  )
}

function sorted(rows: Rows): string {
  return JSON.stringify(rows.map(row => JSON.stringify(row)).toSorted())
}

/** `row 3 has margin 12.5 instead of 11.0`. */
export function describeDifference({ row, column, expected, found }: Difference): string {
  if (row === 'totals')
    return `the total of ${column} is ${abbreviate(found)} instead of ${abbreviate(expected)}`
  if (expected === undefined) return `row ${row} is one more`
  if (found === undefined) return `row ${row} is missing`
  return `row ${row} has ${column} ${abbreviate(found)} instead of ${abbreviate(expected)}`
}

function abbreviate(value: RawField | undefined): string {
  const text = value ?? 'null'
  return text.length > 40 ? `${text.slice(0, 37)}...` : text
}
