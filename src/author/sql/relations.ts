/** The parts of a statement: queries, their selects, and the tables, CTEs, subqueries and functions that a select joins. */
import type { Alias, Node, SelectStmt } from 'libpg-query'
import { as, namesOf, offsetOf } from '../../definitions/sql/syntax-tree.ts'

/** A select, or several combined by `union`, `intersect` or `except`. */
export interface Query {
  readonly node: SelectStmt
  /** Where the query is: the statement, a CTE, a `from`, or an expression such as `exists (...)`. */
  readonly holder: 'statement' | 'cte' | 'from' | 'exists' | 'in' | 'scalar' | 'array'
  /** The surrounding select whose columns it may read. */
  readonly outer: Select | undefined
  readonly ctes: readonly Cte[]
  /** In the order of the text. */
  readonly selects: readonly Select[]
  readonly setOperations: readonly SetOperation[]
  /** Queries one level below: those of its CTEs, selects and expressions. */
  readonly inner: readonly Query[]
}

export interface SetOperation {
  readonly kind: 'union' | 'intersect' | 'except'
  readonly isAll: boolean
  /** The first select of the right side. */
  readonly right: Select
}

export interface Cte {
  readonly name: string
  readonly offset: number
  /** Column names in the CTE's alias list. */
  readonly columns: readonly string[]
  /** Undefined if it is not a select, and while a recursive CTE is read. */
  query: Query | undefined
}

export interface Select {
  readonly node: SelectStmt
  readonly query: Query
  readonly items: readonly Item[]
  /** The relations of `from` and its joins, in text order. */
  readonly relations: readonly Relation[]
}

export interface Item {
  /** The column name that PostgreSQL assigns; undefined for a star. */
  readonly name: string | undefined
  readonly expression: Node
  readonly offset: number
}

/** CTEs by name; inner ones hide outer ones. */
export type CteScope = ReadonlyMap<string, Cte>

export interface Relation {
  readonly kind: 'table' | 'cte' | 'subquery' | 'function'
  /** The alias in the select, by default the name. */
  readonly alias: string
  readonly name: string | undefined
  readonly schema: string | undefined
  /** For a CTE or a subquery; undefined for a CTE's reference to itself. */
  readonly query: Query | undefined
  /** For a CTE; set also for its reference to itself. */
  readonly cte?: Cte | undefined
  /** Column aliases by position, which may be fewer than the columns. */
  readonly columns: readonly string[]
  readonly join: 'first' | 'comma' | 'cross' | 'inner' | 'left' | 'right' | 'full'
  readonly isLateral: boolean
  /** The condition of its join. */
  readonly on: Node | undefined
  readonly using: readonly string[]
  /** For a function: its calls, or the node of `json_table` or `xmltable`. */
  readonly call?: readonly Node[]
  readonly offset: number
}

type Joined = Pick<Relation, 'join' | 'on' | 'using'>

interface Around {
  readonly select: Select
  readonly scope: CteScope
  /** Builds the query of a subquery. */
  readonly build: (node: SelectStmt, outer: Select | undefined) => Query
}

export function readRelations(from: readonly Node[], around: Around): Relation[] {
  return from.flatMap((node, at) =>
    readFrom(node, { join: at === 0 ? 'first' : 'comma', on: undefined, using: [] }, around),
  )
}

const JOINS: Readonly<Record<string, Relation['join']>> = {
  JOIN_LEFT: 'left',
  JOIN_RIGHT: 'right',
  JOIN_FULL: 'full',
}

function readFrom(node: Node, joined: Joined, around: Around): Relation[] {
  const { select, scope, build } = around
  const join = as(node, 'JoinExpr')
  if (join !== undefined) {
    const { larg, rarg, jointype = '', quals: on, usingClause, isNatural = false } = join
    const using = namesOf(usingClause)
    const isCross = on === undefined && using.length === 0 && !isNatural
    const kind = JOINS[jointype] ?? (isCross ? 'cross' : 'inner')
    return [
      ...(larg === undefined ? [] : readFrom(larg, joined, around)),
      ...(rarg === undefined ? [] : readFrom(rarg, { join: kind, on, using }, around)),
    ]
  }
  const sampled = as(node, 'RangeTableSample')?.relation
  if (sampled !== undefined) return readFrom(sampled, joined, around)
  const unknown = { ...joined, name: undefined, schema: undefined, query: undefined }
  const table = as(node, 'RangeVar')
  if (table !== undefined) {
    const { relname: name = '', schemaname: schema, alias, location: offset = 0 } = table
    const cte = schema === undefined ? scope.get(name) : undefined
    const kind = cte === undefined ? 'table' : 'cte'
    const columns = columnsOf(alias, cte?.columns)
    const named = { alias: alias?.aliasname ?? name, name, schema, columns }
    return [{ ...joined, ...named, kind, query: cte?.query, cte, isLateral: false, offset }]
  }
  const { lateral: isLateral = false, subquery, alias } = as(node, 'RangeSubselect') ?? {}
  const inner = as(subquery, 'SelectStmt')
  if (inner !== undefined) {
    const query = build(inner, isLateral ? select : select.query.outer)
    const named = { alias: alias?.aliasname ?? '', columns: columnsOf(alias) }
    const offset = offsetOf(inner) ?? 0
    return [{ ...unknown, ...named, kind: 'subquery', query, isLateral, offset }]
  }
  const call = as(node, 'RangeFunction')
  const calls = (call?.functions ?? []).flatMap(list => as(list, 'List')?.items?.[0] ?? [])
  const columns = (call?.coldeflist ?? []).flatMap(one => as(one, 'ColumnDef')?.colname ?? [])
  const called = (call ?? as(node, 'JsonTable') ?? as(node, 'RangeTableFunc'))?.alias
  return [
    {
      ...unknown,
      kind: 'function',
      alias: called?.aliasname ?? namesOf(as(calls[0], 'FuncCall')?.funcname).at(-1) ?? '',
      columns: columnsOf(called, columns),
      isLateral: true,
      call: call === undefined ? [node] : calls,
      offset: offsetOf(node) ?? 0,
    },
  ]
}

/** Whether the join is natural: it names no columns, so that nothing can be proved. */
export function isNatural({ join, on, using }: Relation): boolean {
  const joins = ['inner', 'left', 'right', 'full'].includes(join)
  return joins && on === undefined && using.length === 0
}

function columnsOf(alias: Alias | undefined, ofCte: readonly string[] = []): string[] {
  const names = namesOf(alias?.colnames)
  return [...names, ...ofCte.slice(names.length)]
}
