/** A statement as queries and selects with their relations: the scopes in which PostgreSQL resolves columns. */
import type { ColumnRef, Node, SelectStmt } from 'libpg-query'
import { as, namesOf, nodesOf, offsetOf, withIndex } from '../../definitions/sql/syntax-tree.ts'
import { nameOfItem } from './item-name.ts'
import { readRelations, type Cte, type CteScope, type Item } from './relations.ts'
import type { Query, Relation, Select, SetOperation } from './relations.ts'

const OWN = { subqueries: false }

/** @param around CTEs that it may read besides its own */
export function readQuery(
  statement: Node | undefined,
  around: CteScope = new Map(),
): Query | undefined {
  const select = as(statement, 'SelectStmt')
  return select && buildQuery(select, 'statement', undefined, around)
}

function buildQuery(
  node: SelectStmt,
  holder: Query['holder'],
  outer: Select | undefined,
  around: CteScope,
): Query {
  const ctes: Cte[] = []
  const selects: Select[] = []
  const setOperations: SetOperation[] = []
  const inner: Query[] = []
  const query: Query = { node, holder, outer, ctes, selects, setOperations, inner }

  const readCtes = ({ withClause }: SelectStmt, scope: Map<string, Cte>) => {
    const read = (withClause?.ctes ?? []).map(wrapped => {
      const { ctename, ctequery, aliascolnames, location } = as(wrapped, 'CommonTableExpr') ?? {}
      const columns = namesOf(aliascolnames)
      const cte: Cte = { name: ctename ?? '', offset: location ?? 0, columns, query: undefined }
      return { cte, select: as(ctequery, 'SelectStmt') }
    })
    // why: with `recursive` each CTE may refer to itself and to later ones
    if (withClause?.recursive === true) for (const { cte } of read) scope.set(cte.name, cte)
    const visited = new Set<Cte>()
    const build = ({ cte, select }: (typeof read)[number]) => {
      if (visited.has(cte)) return
      visited.add(cte)
      if (withClause?.recursive === true)
        for (const { relname, schemaname } of nodesOf(select, 'RangeVar'))
          read.filter(one => one.cte.name === relname && schemaname === undefined).forEach(build)
      if (select !== undefined) {
        cte.query = buildQuery(select, 'cte', outer, new Map(scope))
        inner.push(cte.query)
      }
      scope.set(cte.name, cte)
    }
    read.forEach(build)
    ctes.push(...read.map(({ cte }) => cte))
  }
  const readSelects = (part: SelectStmt, above: CteScope) => {
    const scope = new Map(above)
    readCtes(part, scope)
    if (part.op === undefined || part.op === 'SETOP_NONE') {
      selects.push(buildSelect(part, query, scope, inner))
      return
    }
    const kind = KINDS[part.op] ?? 'union'
    if (part.larg !== undefined) readSelects(part.larg, scope)
    const before = selects.length
    if (part.rarg !== undefined) readSelects(part.rarg, scope)
    const right = selects[before]
    if (right !== undefined) setOperations.push({ kind, isAll: part.all === true, right })
    inner.push(...queriesIn([part.sortClause, part.limitCount, part.limitOffset], outer, scope))
  }
  readSelects(node, around)
  return query
}

const KINDS: Readonly<Record<string, SetOperation['kind']>> = {
  SETOP_INTERSECT: 'intersect',
  SETOP_EXCEPT: 'except',
}

function buildSelect(node: SelectStmt, query: Query, scope: CteScope, inner: Query[]): Select {
  const items: Item[] = []
  const relations: Relation[] = []
  const select: Select = { node, query, items, relations }
  for (const target of node.targetList ?? []) {
    const { name, val } = as(target, 'ResTarget') ?? {}
    if (val === undefined) continue
    items.push({ name: name ?? nameOfItem(val), expression: val, offset: offsetOf(val) ?? 0 })
  }
  const [row] = node.valuesLists ?? []
  for (const [at, value] of (as(row, 'List')?.items ?? []).entries()) {
    items.push({ name: `column${at + 1}`, expression: value, offset: offsetOf(value) ?? 0 })
  }
  const build = (inside: SelectStmt, outer: Select | undefined) =>
    buildQuery(inside, 'from', outer, scope)
  relations.push(...readRelations(node.fromClause ?? [], { select, scope, build }))
  const subqueries = relations.flatMap(one => (one.kind === 'subquery' ? (one.query ?? []) : []))
  inner.push(...subqueries, ...queriesIn(collectExpressions(select), select, scope))
  return select
}

const expressions = new WeakMap<Select, readonly Node[]>()

/** Its own expressions, with the subqueries in them, but without subqueries in `from`. */
export function expressionsOf(select: Select): readonly Node[] {
  // why: about a hundred rules search them
  const found = expressions.get(select) ?? withIndex(collectExpressions(select))
  expressions.set(select, found)
  return found
}

function collectExpressions({ node, items, relations }: Select): Node[] {
  return [
    ...items.map(({ expression }) => expression),
    ...(node.valuesLists ?? []).slice(1),
    ...(node.distinctClause ?? []),
    ...relations.flatMap(({ on, call = [] }) => (on === undefined ? call : [on, ...call])),
    ...[node.whereClause, node.havingClause, node.limitCount, node.limitOffset].flatMap(
      expression => expression ?? [],
    ),
    ...(node.groupClause ?? []),
    ...(node.windowClause ?? []),
    ...(node.sortClause ?? []),
  ]
}

const HOLDERS: Readonly<Record<string, Query['holder']>> = {
  EXISTS_SUBLINK: 'exists',
  ANY_SUBLINK: 'in',
  ALL_SUBLINK: 'in',
  ARRAY_SUBLINK: 'array',
}

function queriesIn(expressions: unknown, outer: Select | undefined, scope: CteScope): Query[] {
  return nodesOf(expressions, 'SubLink', OWN).flatMap(({ subselect, subLinkType = '' }) => {
    const select = as(subselect, 'SelectStmt')
    return select === undefined
      ? []
      : [buildQuery(select, HOLDERS[subLinkType] ?? 'scalar', outer, scope)]
  })
}

/** A query and its inner queries at any depth. */
export function everyQuery(query: Query): Query[] {
  return [query, ...query.inner.flatMap(everyQuery)]
}

export function everySelect(query: Query): Select[] {
  return everyQuery(query).flatMap(({ selects }) => selects)
}

const scopes = new WeakMap<Query, ReadonlyMap<ColumnRef, Select>>()

/** The select in whose scope each column reference of a query is, at any depth. */
export function scopesOf(query: Query): ReadonlyMap<ColumnRef, Select> {
  const columns = () =>
    everySelect(query).flatMap(select =>
      nodesOf(expressionsOf(select), 'ColumnRef', OWN).map(column => [column, select] as const),
    )
  const found = scopes.get(query) ?? new Map(columns())
  scopes.set(query, found)
  return found
}
