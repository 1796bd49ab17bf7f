/** Resolves columns to relations and to the expressions behind them, through aliases, CTEs, subqueries and unions. */
import type { Node } from 'libpg-query'
import { as } from '../../definitions/sql/syntax-tree.ts'
import { columnOf, contributing } from './expressions.ts'
import {
  relationColumnNames,
  makersInSelect,
  mayHave,
  nameAt,
  NOT_KNOWN,
  type ColumnMaker,
  type TableColumns,
} from './outputs.ts'
import type { Query, Relation, Select } from './relations.ts'

/** A column of a relation in the `from` of a select or of an outer select. */
export interface ColumnSource {
  readonly relation: Relation
  /** The relation's name for it; `#0` if a query has several columns of one name. */
  readonly name: string
}

/**
 * Undefined if the text does not show it: an unqualified name with several tables of unknown columns.
 */
export function sourceOf(
  node: Node | undefined,
  select: Select,
  tableColumns = NOT_KNOWN,
): ColumnSource | undefined {
  const { qualifier, name } = columnOf(node) ?? {}
  if (name === undefined) return undefined
  for (let scope: Select | undefined = select; scope !== undefined; scope = scope.query.outer) {
    const found = scope.relations.filter(relation =>
      qualifier === undefined
        ? mayHave(relation, name, tableColumns)
        : relation.alias === qualifier,
    )
    const isOne = found.length === 1 || qualifier !== undefined
    const relation = isOne ? found[0] : mergedIn(scope, name, tableColumns)
    if (relation !== undefined) return columnIn(relation, name, tableColumns)
    // why: only the database knows which of several has the column
    const [sure, ...more] = found.filter(one =>
      relationColumnNames(one, tableColumns)?.includes(name),
    )
    if (found.length > 0)
      return sure && more.length === 0 ? columnIn(sure, name, tableColumns) : undefined
  }
  return undefined
}

/** The relation whose column is the output of `using`. */
function mergedIn({ relations }: Select, name: string, tableColumns: TableColumns) {
  const at = relations.findIndex(({ using }) => using.includes(name))
  const right = relations[at]
  if (right?.join === 'left')
    return relations.slice(0, at).find(one => mayHave(one, name, tableColumns))
  return right?.join === 'full' ? undefined : right
}

/** @param name the name in the surrounding select: for `x as t (a)`, `a` is the first column of x */
export function columnIn(relation: Relation, name: string, tableColumns = NOT_KNOWN): ColumnSource {
  const { columns, query, cte, kind } = relation
  const at = columns.indexOf(name)
  const read = query ?? cte?.query
  if (at === -1 || kind === 'function') return { relation, name }
  const own = read === undefined ? tableColumns(relation)?.[at] : nameAt(read, at, tableColumns)
  return { relation, name: own ?? name }
}

/** The expressions behind a column of a CTE or a subquery, one per select; empty for a table. */
export function makersOf(
  { relation, name }: ColumnSource,
  tableColumns?: TableColumns,
): ColumnMaker[] {
  return relation.query === undefined ? [] : makersIn(relation.query, name, tableColumns)
}

/** The expressions behind a column of a query, one per select. */
export function makersIn(query: Query, name: string, tableColumns?: TableColumns): ColumnMaker[] {
  return query.selects.flatMap(select => makersInSelect(select, name, tableColumns))
}

/** The expression behind a scalar subquery. */
function makerOf(expression: Node, { query }: Select): ColumnMaker | undefined {
  const { subselect, subLinkType = '' } = as(expression, 'SubLink') ?? {}
  const node = as(subselect, 'SelectStmt')
  const select = query.inner.find(one => one.node === node)?.selects[0]
  const item = subLinkType === 'EXPR_SUBLINK' ? select?.items[0] : undefined
  return select && item && { item, select }
}

/** The expressions behind a column of a CTE or a subquery; empty for other nodes. */
export function makersBehind(
  node: Node | undefined,
  select: Select,
  tableColumns?: TableColumns,
): ColumnMaker[] {
  const source = sourceOf(node, select, tableColumns)
  return source === undefined ? [] : makersOf(source, tableColumns)
}

interface Following {
  readonly tableColumns?: TableColumns
  /** The part of an expression to follow, such as all but its casts. */
  readonly bare?: (node: Node) => Node | undefined
}

/** An expression, and the select in whose scope it is. */
export type ScopedNode = readonly [Node, Select]

/**
 * An expression and all those to which it leads, each once: CTEs may read one another many times.
 * @param next the expressions to which one leads directly
 */
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

/** The expressions behind a column of a CTE or a subquery, or behind a scalar subquery; empty for other nodes. */
export function valuesBehind(
  node: Node,
  select: Select,
  tableColumns?: TableColumns,
): ScopedNode[] {
  const scalar = makerOf(node, select)
  const makers = makersBehind(node, select, tableColumns).concat(scalar ?? [])
  return makers.map(made => [made.item.expression, made.select])
}

/** The expression itself; for a column of CTEs and subqueries, the expressions behind it. */
export function expressionsBehind(
  expression: Node,
  select: Select,
  { tableColumns, bare = node => node }: Following = {},
): ScopedNode[] {
  const next = (node: Node, within: Select) =>
    makersBehind(bare(node), within, tableColumns).map(
      made => [made.item.expression, made.select] as const,
    )
  return reachableFrom([expression, select], next).flatMap(([node, within]) =>
    next(node, within).length === 0 ? [[bare(node) ?? node, within]] : [],
  )
}

/** The table columns behind a column, through CTEs and subqueries; empty if the text does not show them. */
export function tableColumnsOf(node: Node, select: Select, following?: Following): ColumnSource[] {
  return expressionsBehind(node, select, following)
    .flatMap(([made, inner]) => sourceOf(made, inner, following?.tableColumns) ?? [])
    .filter(({ relation }) => relation.kind === 'table')
}

/**
 * An expression and all expressions from which its value is computed, through CTEs and subqueries. Conditions, windows
 * and orders are excluded.
 */
export function contributorsOf(expression: Node, select: Select): ScopedNode[] {
  return reachableFrom([expression, select], (node, within) =>
    [
      ...contributing(node, 'ColumnRef').map(ColumnRef => ({ ColumnRef })),
      ...contributing(node, 'SubLink').map(SubLink => ({ SubLink })),
    ].flatMap(part => valuesBehind(part, within)),
  )
}
