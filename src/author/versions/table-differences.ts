/** What differs between two results of one question. Knows no database. */
import type { ResultTable } from './result-table.ts'

/** Cells and rows each. */
const MAX_SHOWN = 3

/** Each as `month "2026-03": income: found 1200, expected 1300`. */
export function tableDifferences(expected: ResultTable, found: ResultTable): string[] {
  const { columns } = expected
  const [wanted, own] = [byKey(expected), byKey(found)]
  const [keys, ownKeys] = [[...wanted.keys()], [...own.keys()]]
  const cells = [...wanted].flatMap(([key, row]) => {
    const other = own.get(key) ?? row
    return columns.flatMap((column, at) => different(`${key}: ${column}`, row[at], other[at]))
  })
  const missing = keys.filter(key => !own.has(key)).map(key => `${key}: the row is missing`)
  const added = ownKeys.filter(key => !wanted.has(key)).map(key => `${key}: a row is added`)
  const others = [...expected.others].flatMap(([name, value]) =>
    different(name, value, found.others.get(name)),
  )
  const all = [...first(cells, 'cells'), ...first([...missing, ...added], 'rows'), ...others]
  const moved = keys.findIndex((key, at) => key !== ownKeys[at])
  if (all.length > 0 || moved === -1) return all
  return [`order: row ${moved + 1} is ${ownKeys[moved]}, expected ${keys[moved]}`]
}

function first(lines: readonly string[], noun: string): string[] {
  const more = lines.length - MAX_SHOWN
  return [...lines.slice(0, MAX_SHOWN), ...(more > 0 ? [`and ${more} more ${noun}`] : [])]
}

function different(name: string, expected?: string, found?: string): string[] {
  return expected === found ? [] : [`${name}: found ${found}, expected ${expected}`]
}

/** By the key's columns, or else by position; rows with equal keys are numbered. */
function byKey({ columns, key, rows }: ResultTable): Map<string, readonly string[]> {
  const named = new Map<string, readonly string[]>()
  const counts = new Map<string, number>()
  for (const [at, row] of rows.entries()) {
    const names = key.map(column => `${columns[column]} ${row[column]}`)
    const name = names.join(', ') || `row ${at + 1}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    named.set(count === 1 ? name : `${name}, number ${count}`, row)
  }
  return named
}
