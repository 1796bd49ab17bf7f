/** Finds the lines of result columns and of the ORDER BY clause in the file. Knows no database. */
import type { Node } from 'libpg-query'
import { as } from '../../definitions/sql/syntax-tree.ts'
import { columnOf, numberOf } from '../sql/expressions.ts'
import type { Item } from './statement.ts'
import type { Draft } from './rules/draft.ts'

export interface OutputOrder {
  readonly line: number
  /** The result columns in the clause; undefined if it has other expressions. */
  readonly columns: readonly string[] | undefined
}

/** Undefined if the statement has no ORDER BY. */
export function outputOrder({ query, statement }: Draft): OutputOrder | undefined {
  const { sortClause = [] } = query.node
  if (sortClause.length === 0) return undefined
  const items = query.selects[0]?.items ?? []
  const columns = sortClause.flatMap(
    sort => outputItem(as(sort, 'SortBy')?.node, items)?.name ?? [],
  )
  return {
    line: statement.line(sortClause),
    columns: columns.length === sortClause.length ? columns : undefined,
  }
}

/** The item that an expression of ORDER BY names. */
export function outputItem(node: Node | undefined, items: readonly Item[]): Item | undefined {
  const ordinal = numberOf(node)
  if (ordinal !== undefined) return items[Number(ordinal) - 1]
  const column = columnOf(node)
  if (column === undefined) return undefined
  const { qualifier } = column
  return items.find(({ name, expression }) => {
    const selected = qualifier === undefined ? { name, qualifier } : columnOf(expression)
    return selected?.name === column.name && selected.qualifier === qualifier
  })
}

/** The line of a selected column; the first line of the statement if the select list does not name it. */
export function lineOfColumn({ query, statement }: Draft, name: string, nth = 0): number {
  const items = query.selects[0]?.items.filter(item => item.name === name)
  return statement.line(items?.[nth]?.expression)
}
