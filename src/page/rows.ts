/** Sorts, filters and sums rows. */
import type { TableColumn } from './api.ts'
import { sumCompared } from './comparison.ts'
import { formatValue, typeIn, wholeUnits, type Row } from './format.ts'
import type { CellValue } from './format.ts'
import { normalize } from './search.ts'
import { ownLanguage } from './texts.ts'

const collator = new Intl.Collator(ownLanguage, { numeric: true })

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

/** why: formatting each cell takes longer than a key press may */
const textsOfRows = new WeakMap<Row, string>()

/** Each value as it is shown, and as programs write it: `150,358.26 EUR`, `150358.26`. */
function textOf(row: Row, columns: readonly TableColumn[]): string {
  const texts = columns.flatMap(column => {
    const { key, decimals } = column
    const type = typeIn(column, row)
    const value = row[key] ?? null
    const plain = value === null ? '' : wholeUnits(value, type).replace(/^(.{10})T/, '$1 ')
    return [formatValue(value, type, decimals), plain]
  })
  return normalize(texts.join('\n')).replaceAll(/[^\S\n]/g, ' ')
}

/** A number or a day as programs write it; other texts as they are. */
function plainOf(wanted: string): string {
  const [, date, month, year] = /^(\d\d?)[./](\d\d?)[./](\d{4})$/.exec(wanted) ?? []
  if (date !== undefined) return `${year}-${month!.padStart(2, '0')}-${date.padStart(2, '0')}`
  if (!/^[-−]?\d[\d ]*(?:[.,]\d*)?(?: ?[\p{Sc}%])?$/u.test(wanted)) return wanted
  return wanted
    .replace(/ (?=\d{3}(?!\d))|[ \p{Sc}%]+$/gu, '')
    .replace(',', '.')
    .replace('−', '-')
}

/** Rows that contain the text in any column, as it is shown or as programs write it. */
export function findRows(
  rows: readonly Row[],
  columns: readonly TableColumn[],
  find: string,
): readonly Row[] {
  const wanted = normalize(find).trim().replaceAll(/\s/g, ' ')
  if (wanted === '') return rows
  const plain = plainOf(wanted)
  return rows.filter(row => {
    const text = textsOfRows.get(row) ?? textOf(row, columns)
    textsOfRows.set(row, text)
    return text.includes(wanted) || text.includes(plain)
  })
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
