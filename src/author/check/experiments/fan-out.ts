/**
 * Rows of a later table, copied under new keys, may change no figure that comes from earlier tables alone. Such a figure
 * grows with their numbers, and does not change with the numbers of the copied table.
 */
import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import type { ProductTable } from '../product-tables.ts'
import type { Experiment, Trial, Way } from './experiment.ts'
import { describeFigure, figuresOf, type Figure } from './figures.ts'
import { asItIs, newKey, newValue } from './other-rows.ts'

export const fanOut: Experiment = {
  id: 'fan-out',
  periods: ['this year'],
  unless: ['unordered-pick'],
  find: async trial => {
    const { tables, draft, question, unseen } = trial
    const copyable: ProductTable[] = []
    for (const table of tables) {
      if (newKey(table) === undefined) unseen(`no new key for rows of ${table.declared.name}`)
      else copyable.push(table)
    }
    for (const copied of copyable) {
      const at = tables.indexOf(copied)
      const lookedUp = referredTo(copied, tables)
      // why: the value of a later table may be looked up for each row
      const others = tables.filter(
        (one, index) => index < at || (index > at && lookedUp.size > 0 && !lookedUp.has(one)),
      )
      const found = others.length > 0 && (await repeatedFigure(copied, others, trial))
      if (!found) continue
      const { name } = copied.declared
      const named = nodesOf(draft.statement.root, 'RangeVar').filter(one => one.relname === name)
      const offset = Math.min(...named.map(({ location = 0 }) => location))
      const { figure, expected } = found
      const message = `rows of ${name} repeat what "${figure.column}" adds up or averages (${question.label}, if half of them come twice: ${describeFigure(figure, expected)}), expected them aggregated before the join`
      return { line: draft.statement.line(offset), message }
    }
    return undefined
  },
}

/** The tables that rows of this one refer to, and those to which these refer. */
function referredTo(table: ProductTable, tables: readonly ProductTable[]): Set<ProductTable> {
  const found = new Set([table])
  for (const one of found)
    for (const key of one.foreignKeys)
      for (const other of tables) if (other.name === key.name) found.add(other)
  found.delete(table)
  return found
}

/** A figure of earlier tables that copies of some rows change in proportion to the numbers of those tables. */
async function repeatedFigure(
  copied: ProductTable,
  earlier: readonly ProductTable[],
  { definition, execute }: Trial,
): Promise<{ figure: Figure; expected: number } | undefined> {
  const figures = async (copies: readonly ProductTable[], doubled: readonly ProductTable[]) => {
    const found = figuresOf(definition, await execute(wayWith(copies, doubled)))
    return (cell: string) => found.get(cell)?.value ?? 0
  }
  const first = figuresOf(definition, await execute({}))
  const own = (cell: string) => first.get(cell)?.value ?? 0
  const copies = await figures([copied], [])
  const changes = [...first].filter(([cell]) => own(cell) !== copies(cell))
  // why: a part of a sum for each joined row goes from one row of the result to another, but for roundings
  const changed = changes.filter(([, { column }]) => {
    const moves = changes.flatMap(([cell, one]) =>
      one.column === column ? copies(cell) - own(cell) : [],
    )
    return Math.abs(moves.reduce((sum, move) => sum + move, 0)) > moves.length - 1
  })
  if (changed.length === 0) return undefined
  const others = await figures([], [copied])
  const suspects = changed.filter(([cell]) => own(cell) === others(cell))
  if (suspects.length === 0) return undefined
  const [twice, both] = [await figures([], earlier), await figures([copied], earlier)]
  const repeated = suspects.find(([cell]) => {
    const growth = (both(cell) - twice(cell)) / (copies(cell) - own(cell))
    // why: a quantity times a price becomes four times as large
    return [2, 4].some(times => Math.abs(growth - times) < 0.1)
  })
  if (repeated === undefined) return undefined
  const [cell, figure] = repeated
  return { figure: { ...figure, value: copies(cell) }, expected: own(cell) }
}

/**
 * @param copies tables whose rows come twice, under new keys @param doubled tables with numbers twice as large
 * @param copied which rows, by default half of them: if all come twice, averages are the same
 */
export function wayWith(
  copies: readonly ProductTable[],
  doubled: readonly ProductTable[],
  copied = 'hashtext(own::text) % 2 = 0',
): Way {
  const rest = ` cross join (values (0), (1)) as copies (copy) where copies.copy = 0 or ${copied}`
  return {
    rest: table => (copies.includes(table) ? rest : ''),
    columnOf: (column, table) => {
      const name = `own.${asItIs(column)}`
      const isNew = copies.includes(table) && newKey(table)!.has(column.name)
      if (isNew)
        return `case copies.copy when 0 then ${name} else ${newValue(column)!(name, 'copies.copy')} end`
      const isDoubled = column.kind === 'number' && !column.identifies && doubled.includes(table)
      return isDoubled ? `(${name} * 2)::${column.type}` : name
    },
  }
}
