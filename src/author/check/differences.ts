/** How one answer differs from another that must be the same. Knows no database. */
import { OID } from '../../serve/replica/column-types.ts'
import type { RawField } from '../../model/terms.ts'
import type { Answer } from './session.ts'

export interface Difference {
  /** Of the first row that differs, the first column that does. */
  readonly column: string
  /** Counted without the totals row, which is 'totals'. */
  readonly row: number | 'totals'
  readonly expected: RawField | undefined
  readonly found: RawField | undefined
  /** Whether the rows are the same and stand in another order. */
  readonly isOrderAlone: boolean
}

/** Undefined where they are the same. @param expected the answer to hold the other against */
export function difference(expected: Answer, found: Answer): Difference | undefined {
  const ours = rowsOf(expected)
  const theirs = rowsOf(found)
  const length = Math.max(ours.length, theirs.length)
  for (let row = 0; row < length; row++) {
    const own = ours[row]
    const other = theirs[row]
    const at = expected.fields.findIndex((_, place) => own?.[place] !== other?.[place])
    if (at === -1) continue
    return {
      column: expected.fields[at]?.name ?? '',
      row: rowNumber(expected, own === undefined ? found : expected, row),
      expected: own?.[at],
      found: other?.[at],
      isOrderAlone: sameRows(ours, theirs),
    }
  }
  return undefined
}

/** As a person counts them in the answer. */
function rowNumber({ fields }: Answer, { rows }: Answer, at: number): number | 'totals' {
  const place = fields.findIndex(({ name }) => name === 'is_total')
  if (rows[at]?.[place] === 't') return 'totals'
  return rows.slice(0, at + 1).filter(row => row[place] !== 't').length
}

type Rows = ReadonlyArray<readonly RawField[]>

/** With instants as they are in any session's time zone. */
function rowsOf({ fields, rows }: Answer): Rows {
  // why: their values are printed in the session's time zone
  const instants = fields.map(({ typeId }) => typeId === OID.timestamptz)
  if (!instants.includes(true)) return rows
  return rows.map(row => row.map((value, at) => (instants[at] === true ? instant(value) : value)))
}

function instant(value: RawField): RawField {
  const [, whole, fraction = '', offset] =
    /^(.{19})(\.\d+)?([+-]\d\d(?::\d\d)*)$/.exec(value ?? '') ?? []
  if (whole === undefined || offset === undefined) return value
  const zone = offset.length === 3 ? `${offset}:00` : offset.slice(0, 6)
  const at = Date.parse(`${whole.replace(' ', 'T')}${zone}`)
  return Number.isNaN(at) ? value : `${at}${fraction}`
}

function sameRows(ours: Rows, theirs: Rows): boolean {
  if (ours.length !== theirs.length) return false
  const left = ours.map(row => JSON.stringify(row)).toSorted()
  const right = theirs.map(row => JSON.stringify(row)).toSorted()
  return left.every((row, at) => row === right[at])
}

/** `row 3 has margin 12.5 instead of 11.0`. */
export function saidOf({ row, column, expected, found }: Difference): string {
  if (column === 'row_count')
    return `the number of rows is ${shown(found)} instead of ${shown(expected)}`
  if (row === 'totals')
    return `the total of ${column} is ${shown(found)} instead of ${shown(expected)}`
  if (expected === undefined) return `row ${row} is one more`
  if (found === undefined) return `row ${row} is missing`
  return `row ${row} has ${column} ${shown(found)} instead of ${shown(expected)}`
}

function shown(value: RawField | undefined): string {
  const text = value ?? 'null'
  return text.length > 40 ? `${text.slice(0, 37)}...` : text
}
