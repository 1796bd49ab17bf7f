/** The small reading of a statement: queries, their selects, and what each select joins. Names are not resolved. */
import type { Alias, Node, SelectStmt } from 'libpg-query'
import { as, namesOf, nodesOf, offsetOf, withIndex } from '../../definitions/sql/syntax-tree.ts'
import { isAggregated, withoutCasts } from '../sql/expressions.ts'

/** A select, or several combined by `union`, `intersect` or `except`. */
export interface Query {
  readonly node: SelectStmt
  /** Whether it is in `exists (...)`. */
  readonly isExists: boolean
  /** The select around it, whose columns it may read. */
  readonly outer: Select | undefined
  /** In the order of the text. */
  readonly selects: Select[]
  /** By `union`: the first select of its right side. */
  readonly unions: Array<{ readonly isAll: boolean; readonly right: Select }>
  /** Queries one level below: those of its CTEs, selects and expressions. */
  readonly inner: Query[]
}

export interface Cte {
  readonly name: string
  readonly columns: readonly string[]
  /** Undefined if it is no select, and while it is read. */
  query: Query | undefined
}

export interface Select {
  readonly node: SelectStmt
  readonly query: Query
  readonly items: Item[]
  /** In the order of the text. */
  readonly relations: Relation[]
}

export interface Item {
  /** Undefined for a star; `?column?` for an expression that only PostgreSQL names. */
  readonly name: string | undefined
  readonly expression: Node
  readonly offset: number
}

/** What a `from` names. */
export interface Relation {
  readonly kind: 'table' | 'cte' | 'subquery' | 'function'
  /** By default the name. */
  readonly alias: string
  readonly name: string | undefined
  readonly schema: string | undefined
  readonly cte?: Cte | undefined
  /** Of a subquery, or of a CTE that is not recursive. */
  readonly query?: Query | undefined
  /** Column aliases by position, which may be fewer than the columns. */
  readonly columns: readonly string[]
  readonly join: 'none' | 'inner' | 'left' | 'right' | 'full'
  /** The condition of its join. */
  readonly on: Node | undefined
  /** Of a function: its calls, or the node of `json_table`. */
  readonly call?: readonly Node[]
  readonly offset: number
}

type Scope = ReadonlyMap<string, Cte>

/** @param scope CTEs that it may read besides its own @returns undefined if it is no select */
export function readQuery(statement: Node | undefined, scope: Scope = new Map()) {
  const node = as(statement, 'SelectStmt')
  return node && queryOf(node, undefined, scope)
}

function queryOf(
  node: SelectStmt,
  outer: Select | undefined,
  scope: Scope,
  isExists = false,
): Query {
  const query: Query = { node, isExists, outer, selects: [], unions: [], inner: [] }
  readParts(query, node, scope)
  return query
}

function readParts(query: Query, part: SelectStmt, above: Scope): void {
  const scope = new Map(above)
  const { ctes = [], recursive = false } = part.withClause ?? {}
  const read = ctes
    .flatMap(one => as(one, 'CommonTableExpr') ?? [])
    .map(node => {
      const { ctename: name = '', aliascolnames } = node
      const cte: Cte = { name, columns: namesOf(aliascolnames), query: undefined }
      return { cte, select: as(node.ctequery, 'SelectStmt') }
    })
  // why: with `recursive` each CTE may read itself and later ones
  if (recursive) for (const { cte } of read) scope.set(cte.name, cte)
  for (const { cte, select } of read) {
    cte.query = select && queryOf(select, query.outer, scope)
    if (cte.query !== undefined) query.inner.push(cte.query)
    scope.set(cte.name, cte)
  }
  const { op = 'SETOP_NONE', all = false, larg, rarg } = part
  if (op === 'SETOP_NONE') {
    query.selects.push(selectOf(part, query, scope))
    return
  }
  if (larg !== undefined) readParts(query, larg, scope)
  const before = query.selects.length
  if (rarg !== undefined) readParts(query, rarg, scope)
  const right = query.selects[before]
  if (op === 'SETOP_UNION' && right !== undefined) query.unions.push({ isAll: all, right })
}

function selectOf(node: SelectStmt, query: Query, scope: Scope): Select {
  const select: Select = { node, query, items: [], relations: [] }
  const item = (expression: Node, name: string | undefined) =>
    select.items.push({ name, expression, offset: offsetOf(expression) ?? 0 })
  for (const target of node.targetList ?? []) {
    const { name, val } = as(target, 'ResTarget') ?? {}
    if (val !== undefined) item(val, name ?? nameOf(val))
  }
  const [row] = node.valuesLists ?? []
  for (const [at, value] of (as(row, 'List')?.items ?? []).entries()) item(value, `column${at + 1}`)
  for (const from of node.fromClause ?? []) readFrom(from, 'none', undefined, select, scope)
  for (const { subselect, subLinkType } of linksIn(select)) {
    const inner = as(subselect, 'SelectStmt')
    const isExists = subLinkType === 'EXISTS_SUBLINK'
    if (inner !== undefined) query.inner.push(queryOf(inner, select, scope, isExists))
  }
  return select
}

function linksIn(select: Select) {
  return nodesOf(expressionsOf(select), 'SubLink', { subqueries: false })
}

/** The name of a column without an alias; of most expressions only PostgreSQL knows it. */
function nameOf(expression: Node): string | undefined {
  const inner = withoutCasts(expression)
  const fields = as(inner, 'ColumnRef')?.fields
  if (as(fields?.at(-1), 'A_Star') !== undefined) return undefined
  return namesOf(fields ?? as(inner, 'FuncCall')?.funcname).at(-1) ?? '?column?'
}

function readFrom(
  node: Node,
  join: Relation['join'],
  on: Node | undefined,
  select: Select,
  scope: Scope,
): void {
  const joined = as(node, 'JoinExpr')
  if (joined !== undefined) {
    const { larg, rarg, jointype = 'JOIN_INNER', quals } = joined
    const kind = jointype.slice('JOIN_'.length).toLowerCase() as Relation['join']
    if (larg !== undefined) readFrom(larg, join, on, select, scope)
    if (rarg !== undefined) readFrom(rarg, kind, quals, select, scope)
    return
  }
  const table = as(node, 'RangeVar')
  const offset = (table?.location ?? offsetOf(node)) || 0
  const add = (relation: Omit<Relation, 'join' | 'on' | 'offset'>) =>
    select.relations.push({ ...relation, join, on, offset })
  if (table !== undefined) {
    const { relname: name = '', schemaname: schema, alias } = table
    const cte = schema === undefined ? scope.get(name) : undefined
    const own = columnsIn(alias)
    const columns = [...own, ...(cte?.columns ?? []).slice(own.length)]
    const kind = cte === undefined ? 'table' : 'cte'
    add({ kind, alias: alias?.aliasname ?? name, name, schema, cte, query: cte?.query, columns })
    return
  }
  const { lateral = false, subquery, alias } = as(node, 'RangeSubselect') ?? {}
  const inner = as(subquery, 'SelectStmt')
  if (inner !== undefined) {
    const query = queryOf(inner, lateral ? select : select.query.outer, scope)
    select.query.inner.push(query)
    add({
      ...UNNAMED,
      kind: 'subquery',
      alias: alias?.aliasname ?? '',
      query,
      columns: columnsIn(alias),
    })
    return
  }
  const called = as(node, 'RangeFunction')
  const calls = (called?.functions ?? []).flatMap(list => as(list, 'List')?.items?.[0] ?? [])
  const named = (called ?? as(node, 'JsonTable') ?? as(node, 'RangeTableFunc'))?.alias
  add({
    ...UNNAMED,
    kind: 'function',
    alias: named?.aliasname ?? namesOf(as(calls[0], 'FuncCall')?.funcname).at(-1) ?? '',
    columns: columnsIn(named),
    call: called === undefined ? [node] : calls,
  })
}

const UNNAMED = { name: undefined, schema: undefined }

function columnsIn(alias: Alias | undefined): string[] {
  return namesOf(alias?.colnames)
}

const expressions = new WeakMap<Select, readonly object[]>()

/** Its own expressions, with the subqueries in them, but without subqueries in `from`. */
export function expressionsOf(select: Select): readonly object[] {
  const own = { ...select.node, fromClause: undefined, withClause: undefined }
  // why: fifty rules search them
  const found =
    expressions.get(select) ??
    withIndex([own, ...select.relations.flatMap(({ on = [], call = [] }) => [on, call].flat())])
  expressions.set(select, found)
  return found
}

/** A query and its inner queries at any depth. */
export function everyQuery(query: Query): Query[] {
  return [query, ...query.inner.flatMap(everyQuery)]
}

export function everySelect(query: Query): Select[] {
  return everyQuery(query).flatMap(({ selects }) => selects)
}

/** Whether it has aggregates without groups. */
export function isOneRow({ node, items }: Select): boolean {
  return node.groupClause === undefined && items.some(one => isAggregated(one.expression))
}
