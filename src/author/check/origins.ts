/** What is behind a column, by names alone. An ambiguous name leads nowhere. */
import type { Node } from 'libpg-query'
import { columnOf, withoutCasts } from '../sql/expressions.ts'
import type { Relation, Select } from './statement.ts'

/** An expression, and the select in whose scope it is. */
export type ScopedNode = readonly [Node, Select]

/** The relation of a column, in the select or around it; undefined if the text does not show it. */
export function relationOf(node: Node | undefined, select: Select): Relation | undefined {
  const column = columnOf(node)
  if (column === undefined) return undefined
  const { qualifier, name } = column
  for (let scope: Select | undefined = select; scope !== undefined; scope = scope.query.outer) {
    const { relations } = scope
    const named = relations.filter(one =>
      qualifier === undefined ? namesOf(one).includes(name) : one.alias === qualifier,
    )
    // why: a table may have any column
    const tables = qualifier === undefined ? relations.filter(({ kind }) => kind === 'table') : []
    const found = named.length > 0 ? named : tables
    if (found.length > 0) return found.length === 1 ? found[0] : undefined
  }
  return undefined
}

function namesOf({ kind, query, alias, columns }: Relation): readonly (string | undefined)[] {
  if (kind === 'function') return columns.length === 0 ? [alias] : columns
  return [...columns, ...(query?.selects[0]?.items ?? []).map(({ name }) => name)]
}

/** The expression behind a column of a CTE or a subquery; of a union, that of its first select. */
export function behind(node: Node | undefined, select: Select): ScopedNode | undefined {
  const { query, columns = [] } = relationOf(node, select) ?? {}
  const [first] = query?.selects ?? []
  const name = columnOf(node)?.name
  const at = columns.findIndex(one => one === name)
  const item = at === -1 ? first?.items.find(one => one.name === name) : first?.items[at]
  return first !== undefined && item?.name !== undefined ? [item.expression, first] : undefined
}

/** The expression itself without casts; for a column of CTEs and subqueries, the one behind it. */
export function originOf(node: Node, select: Select): ScopedNode {
  const inner = withoutCasts(node) ?? node
  const next = behind(inner, select)
  return next === undefined ? [inner, select] : originOf(...next)
}
