/** What is behind a column of a CTE or a subquery, by names alone. An ambiguous name leads nowhere. */
import type { Node } from 'libpg-query'
import { as } from '../../definitions/sql/syntax-tree.ts'
import { columnOf, contributing } from '../sql/expressions.ts'
import type { Item, Query, Relation, Select } from './statement.ts'

/** An expression, and the select in whose scope it is. */
export type ScopedNode = readonly [Node, Select]

/** The relation of a column, in the select or around it; undefined if the text does not show it. */
export function relationOf(node: Node | undefined, select: Select): Relation | undefined {
  const column = columnOf(node)
  if (column === undefined) return undefined
  const { qualifier, name } = column
  for (let scope: Select | undefined = select; scope !== undefined; scope = scope.query.outer) {
    const { relations } = scope
    const [first, ...others] =
      qualifier === undefined
        ? relations.filter(one => has(one, name))
        : relations.filter(({ alias }) => alias === qualifier)
    if (first !== undefined && others.length === 0) return first
    // why: a table may have any column
    const tables = relations.filter(({ kind }) => kind === 'table')
    if (qualifier === undefined && tables.length > 0)
      return tables.length === 1 && others.length === 0 ? tables[0] : undefined
  }
  return undefined
}

function has({ kind, query, alias, columns }: Relation, name: string): boolean {
  const [select] = query?.selects ?? []
  const isOfFunction =
    kind === 'function' && (columns.length === 0 ? [alias] : columns).includes(name)
  return (
    isOfFunction || columns.includes(name) || select?.items.some(one => one.name === name) === true
  )
}

/** The expressions of a query's column, one for each select. */
export function itemsOf(
  { selects }: Query,
  name: string,
  columns: readonly string[] = [],
): ScopedNode[] {
  const [first] = selects
  const aliased = columns.indexOf(name)
  const at = aliased === -1 ? (first?.items.findIndex(one => one.name === name) ?? -1) : aliased
  const hasStar = first?.items.some(one => one.name === undefined) === true
  return selects.flatMap((select): ScopedNode[] => {
    const named = select.items.find(one => one.name === name)
    // why: a union has the column names of its first select
    const item = hasStar ? named : select.items[at]
    if (item !== undefined) return [[item.expression, select]]
    const star = hasStar ? select.items.find(one => one.name === undefined) : undefined
    return star === undefined ? [] : [[starred(star, name), select]]
  })
}

const starredBy = new WeakMap<Item, Map<string, Node>>()

/** The column that a star selects: one node for one name, by which it is recognized. */
function starred(star: Item, name: string): Node {
  const known = starredBy.get(star) ?? new Map<string, Node>()
  starredBy.set(star, known)
  const fields = [
    ...(as(star.expression, 'ColumnRef')?.fields ?? []).slice(0, -1),
    { String: { sval: name } },
  ]
  const node = known.get(name) ?? { ColumnRef: { fields, location: star.offset } }
  known.set(name, node)
  return node
}

/** The expressions behind a column of a CTE or a subquery, or behind a scalar subquery; none for other nodes. */
export function valuesBehind(node: Node | undefined, select: Select): ScopedNode[] {
  const { subselect, subLinkType } = as(node, 'SubLink') ?? {}
  const scalar =
    subLinkType === 'EXPR_SUBLINK'
      ? select.query.inner.find(one => one.node === as(subselect, 'SelectStmt'))?.selects[0]
      : undefined
  if (scalar?.items[0] !== undefined) return [[scalar.items[0].expression, scalar]]
  const relation = relationOf(node, select)
  const name = columnOf(node)?.name ?? ''
  return relation?.query === undefined ? [] : itemsOf(relation.query, name, relation.columns)
}

/** An expression and all those to which it leads, each once: CTEs may read one another many times. */
export function reachableFrom(
  start: ScopedNode,
  next: (node: Node, select: Select) => readonly ScopedNode[],
): ScopedNode[] {
  const found = new Map<Node, Select>()
  const visit = (node: Node, select: Select) => {
    if (found.has(node)) return
    found.set(node, select)
    for (const one of next(node, select)) visit(...one)
  }
  visit(...start)
  return [...found]
}

/** The expression itself; for a column of CTEs and subqueries, the expressions behind it. @param bare the part to follow */
export function origins(
  expression: Node,
  select: Select,
  bare: (node: Node) => Node | undefined = node => node,
): ScopedNode[] {
  const next = (node: Node, within: Select) => valuesBehind(bare(node), within)
  return reachableFrom([expression, select], next).flatMap(([node, within]) =>
    next(node, within).length === 0 ? [[bare(node) ?? node, within]] : [],
  )
}

/** An expression and all from which its value is computed. Conditions, windows and orders are excluded. */
export function contributorsOf(expression: Node, select: Select): ScopedNode[] {
  return reachableFrom([expression, select], (node, within) =>
    [
      ...contributing(node, 'ColumnRef').map(ColumnRef => ({ ColumnRef })),
      ...contributing(node, 'SubLink').map(SubLink => ({ SubLink })),
    ].flatMap(part => valuesBehind(part, within)),
  )
}
