/**
 * Functional dependencies in a select: which columns have a single value if others do, and which relations have a
 * single row. Derived from equalities and unique keys. Knows no database.
 */
import type { Node } from 'libpg-query'
import { as, namesOf, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import { isAggregated, makesRows } from './aggregates.ts'
import { columnIn, sourceOf, type ColumnSource } from './columns.ts'
import { columnOf, conjunctsOf, numberOf } from './expressions.ts'
import { mayHave, type TableColumns } from './outputs.ts'
import { scopesOf } from './query.ts'
import type { Query, Relation, Select } from './relations.ts'
import { partitionOf } from './windows.ts'

/** A select, and how to recognize keys in it. */
export interface SelectScope {
  readonly select: Select
  readonly tableColumns: TableColumns
  readonly isKey: IsKey
  /** A cache: whether a query has one row if the named columns have one value. */
  readonly oneRow: Map<Query, Map<string, boolean>>
}

/** Whether a table has at most one row for one value of each of these columns. */
export type IsKey = (table: Relation, names: readonly string[], select: Select) => boolean

/** A column, and the columns that determine it. */
interface Equality {
  readonly source: ColumnSource
  readonly needs: readonly ColumnSource[]
}

/** Names of fixed columns; 'row' if the whole row is fixed. */
export type FixedColumns = Map<Relation, ReadonlySet<string> | 'row'>

/** Conditions of the select, including those of outer joins, which hold for the joined side only. */
export function conditionsOf({ node, relations }: Select): Node[] {
  return [node.whereClause, ...relations.map(({ on }) => on)].flatMap(conjunctsOf)
}

/** The source of each column in an expression; undefined if the text does not show it. */
export function sourcesIn(root: unknown, { select, tableColumns }: SelectScope) {
  const scopes = scopesOf(select.query)
  return nodesOf(root, 'ColumnRef').map(ColumnRef =>
    sourceOf({ ColumnRef }, scopes.get(ColumnRef) ?? select, tableColumns),
  )
}

/** `a = b` in both orders. */
export function equalitiesIn(condition: Node): Array<readonly [Node, Node]> {
  const { kind, name, lexpr, rexpr } = as(condition, 'A_Expr') ?? {}
  const isEquality =
    kind === 'AEXPR_NOT_DISTINCT' ||
    ((kind === 'AEXPR_OP' || kind === 'AEXPR_IN') && namesOf(name).at(-1) === '=')
  // why: of a list with several elements, any may be equal
  const [element, ...others] = as(rexpr, 'List')?.items ?? [rexpr]
  const [left, right] = [itemsOf(lexpr), itemsOf(element)]
  if (!isEquality || others.length > 0 || left.length !== right.length) return []
  return left.flatMap((one, at) => {
    const other = right[at]!
    return [[one, other] as const, [other, one] as const]
  })
}

/** The elements of `(a, b)`. */
function itemsOf(node: Node | undefined): readonly Node[] {
  return node === undefined ? [] : (as(node, 'RowExpr')?.args ?? [node])
}

/** Adds to `fixed` all columns and rows that follow from it. @param filter further conditions besides the select's */
export function fixColumns(
  scope: SelectScope,
  fixed: FixedColumns,
  filter: readonly Node[] = [],
): FixedColumns {
  const { relations } = scope.select
  const equalities = [
    ...[...conditionsOf(scope.select), ...filter].flatMap(one => equalitiesOf(one, scope)),
    ...usingOf(scope),
  ]
  for (let isDone = false; !isDone;) {
    const found = equalities.filter(
      ({ source, needs }) => !has(fixed, source) && needs.every(need => has(fixed, need)),
    )
    for (const { source } of found) fix(fixed, source)
    const rows = relations.filter(one => fixed.get(one) !== 'row' && hasOneRow(one, fixed, scope))
    for (const one of rows) fixed.set(one, 'row')
    isDone = found.length + rows.length === 0
  }
  return fixed
}

function usingOf({ select: { relations }, tableColumns }: SelectScope): Equality[] {
  return relations.flatMap((relation, at) =>
    relation.using.flatMap(name => {
      const source = columnIn(relation, name, tableColumns)
      const others = relations.slice(0, at).filter(one => mayHave(one, name, tableColumns))
      return others.flatMap(one => {
        const other = columnIn(one, name, tableColumns)
        return [
          { source, needs: [other] },
          { source: other, needs: [source] },
        ]
      })
    }),
  )
}

function equalitiesOf(condition: Node, scope: SelectScope): Equality[] {
  return equalitiesIn(condition).flatMap(([left, right]) => {
    const [source] = as(left, 'ColumnRef') ? sourcesIn(left, scope) : []
    const needs = sourcesNeeded(right, scope)
    return source === undefined || needs === undefined ? [] : [{ source, needs }]
  })
}

/** Undefined if the text does not show all of them. */
function sourcesNeeded(expression: Node, scope: SelectScope): ColumnSource[] | undefined {
  if (nodesOf(expression, 'SubLink').length > 0) return undefined
  const sources = sourcesIn(expression, scope)
  const known = sources.flatMap(source => source ?? [])
  return known.length === sources.length ? known : undefined
}

export function fixedNames(relation: Relation, fixed: FixedColumns): string[] {
  const columns = fixed.get(relation)
  return columns === undefined || columns === 'row' ? [] : [...columns]
}

function has(fixed: FixedColumns, { relation, name }: ColumnSource): boolean {
  const columns = fixed.get(relation)
  return columns === 'row' || columns?.has(name) === true
}

export function fix(fixed: FixedColumns, { relation, name }: ColumnSource): void {
  const columns = fixed.get(relation)
  if (columns !== 'row') fixed.set(relation, new Set([...(columns ?? []), name]))
}

function hasOneRow(relation: Relation, fixed: FixedColumns, scope: SelectScope): boolean {
  const names = fixedNames(relation, fixed)
  const { query } = relation
  if (relation.kind === 'function') return names.length > 0
  if (query === undefined)
    return relation.kind === 'table' && scope.isKey(relation, names, scope.select)
  const oneRowByNames = scope.oneRow.get(query) ?? new Map<string, boolean>()
  scope.oneRow.set(query, oneRowByNames)
  const key = names.toSorted().join()
  const isOne = oneRowByNames.get(key) ?? isOneRowQuery(query, names, fixed, scope)
  // why: a lateral subquery depends on the rows next to it
  if (!relation.isLateral) oneRowByNames.set(key, isOne)
  return isOne
}

/** @param names its columns that have one value */
function isOneRowQuery(
  { node, selects }: Query,
  names: readonly string[],
  around: FixedColumns,
  scope: SelectScope,
): boolean {
  const [select, ...others] = selects
  if (['0', '1'].includes(numberOf(node.limitCount) ?? '')) return true
  return others.length === 0 && isOneRowSelect({ ...scope, select: select! }, names, around)
}

function isOneRowSelect(
  scope: SelectScope,
  names: readonly string[],
  around: FixedColumns,
): boolean {
  const { select } = scope
  const { node, items, relations } = select
  if (node.valuesLists?.length === 1) return true
  // why: rows of a calendar or a list of groups are unique in all columns
  if (items.length > 0 && items.every(({ name }) => name !== undefined && names.includes(name)))
    return true
  const expressions = items.map(({ expression }) => expression)
  if (node.valuesLists !== undefined || makesRows(expressions)) return false
  const { fixed, values } = fixedInside(scope, names, around)
  const all = (nodes: readonly Node[]) =>
    nodes.every(
      node =>
        values.includes(node) || sourcesNeeded(node, scope)?.every(source => has(fixed, source)),
    )
  const groups = groupsOf(scope)
  if (groups.length > 0) return all(groups)
  if (expressions.some(isAggregated)) return true
  // why: a plain distinct is a list of one empty node
  const distinct = node.distinctClause?.filter(one => Object.keys(one).length > 0)
  if (distinct !== undefined) return all(distinct.length > 0 ? distinct : expressions)
  const isNumbered = values.some(value => {
    const { funcname, over } = as(value, 'FuncCall') ?? {}
    const isNumber = namesOf(funcname).at(-1) === 'row_number'
    return isNumber && over !== undefined && all(partitionOf(over, select))
  })
  return isNumbered || relations.every(relation => fixed.get(relation) === 'row')
}

/** @returns what is fixed inside a select if its named outputs are, and the expressions of these */
export function fixedInside(scope: SelectScope, names: readonly string[], around: FixedColumns) {
  const { relations, items } = scope.select
  const fixed: FixedColumns = new Map(around)
  for (const relation of relations) fixed.delete(relation)
  const values = items.flatMap(({ name, expression }) =>
    name !== undefined && names.includes(name) ? [expression] : [],
  )
  for (const value of values) {
    const [source] = as(value, 'ColumnRef') ? sourcesIn(value, scope) : []
    if (source !== undefined) fix(fixed, source)
  }
  return { fixed: fixColumns(scope, fixed), values }
}

/** Group expressions, with output names and positions resolved. For grouping sets, those of all sets. */
export function groupsOf(scope: SelectScope): Node[] {
  const { node, items } = scope.select
  const flat = (group: Node): readonly Node[] =>
    as(group, 'GroupingSet')?.content?.flatMap(flat) ?? itemsOf(group)
  return (node.groupClause ?? []).flatMap(flat).map(group => {
    const byPosition = items[Number(numberOf(group) ?? 0) - 1]
    const { qualifier, name } = columnOf(group) ?? {}
    const isOwn = qualifier !== undefined || sourcesIn(group, scope)[0] !== undefined
    const named = isOwn ? undefined : items.find(item => item.name === name)
    return (byPosition ?? named)?.expression ?? group
  })
}
