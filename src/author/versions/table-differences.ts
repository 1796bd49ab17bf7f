/** What differs between two results of one question. Knows no database. */
import type { ResultTable } from './result-table.ts'

/** Cells and rows each. */
const MAX_SHOWN = 3

export interface Difference {
  /** That differs first; of a missing or added row, one of its columns. */
  readonly column: string
  /** `month "2026-03": income: found 1200, expected 1300` */
  readonly text: string
}

/** @param isOracle whether 2.5 is the figure 2.50 */
export function tableDifferences(
  expected: ResultTable,
  found: ResultTable,
  isOracle = false,
): Difference[] {
  const different = (of: string, column: string, wanted?: string, other?: string): Difference[] =>
    (isOracle ? figure(wanted) === figure(other) : wanted === other)
      ? []
      : [{ column, text: `${of}: found ${other}, expected ${wanted}` }]
  const { columns, key } = expected
  const [wanted, own] = [byKey(expected), byKey(found)]
  const [keys, ownKeys] = [[...wanted.keys()], [...own.keys()]]
  const cells = [...wanted].flatMap(([name, row]) => {
    const other = own.get(name) ?? row
    return columns.flatMap((column, at) =>
      different(`${name}: ${column}`, column, row[at], other[at]),
    )
  })
  const ofRow = (text: string) => ({ column: columns[key[0] ?? 0] ?? '', text })
  const missing = keys.filter(name => !own.has(name)).map(name => `${name}: the row is missing`)
  const added = ownKeys.filter(name => !wanted.has(name)).map(name => `${name}: a row is added`)
  const rows = [...missing, ...added].map(ofRow)
  const others = [...expected.others].flatMap(([name, value]) =>
    different(name, name.replace('total of ', ''), value, found.others.get(name)),
  )
  const all = [...first(cells, 'cells'), ...first(rows, 'rows'), ...others]
  const moved = keys.findIndex((name, at) => name !== ownKeys[at])
  if (all.length > 0 || moved === -1) return all
  return [ofRow(`order: row ${moved + 1} is ${ownKeys[moved]}, expected ${keys[moved]}`)]
}

function first(all: readonly Difference[], noun: string): Difference[] {
  const more = all.length - MAX_SHOWN
  const shown = all.slice(0, MAX_SHOWN)
  return more > 0 ? [...shown, { column: '', text: `and ${more} more ${noun}` }] : shown
}

/** Without zeros at its end; texts of JSON begin with a quote. */
function figure(value?: string): string | undefined {
  return value !== undefined && /^-?\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, '') : value
}

/** By the key's columns, or else by all; rows with equal keys are numbered. */
function byKey({ columns, key, rows }: ResultTable): Map<string, readonly string[]> {
  const named = new Map<string, readonly string[]>()
  const counts = new Map<string, number>()
  const naming = key.length > 0 ? key : [...columns.keys()]
  for (const row of rows) {
    const name = naming.map(column => `${columns[column]} ${row[column]}`).join(', ')
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    named.set(count === 1 ? name : `${name}, number ${count}`, row)
  }
  return named
}
