/** Parts of expressions that rules read: comparisons, calls, columns, constants. */
import type { A_Expr, FuncCall, Node, TypeName } from 'libpg-query'
import { PLACEHOLDERS, type Placeholder } from '../../definitions/definition.ts'
import { as, namesOf, nodesOf, type Within } from '../../definitions/sql/syntax-tree.ts'

export interface Comparison {
  readonly left: Node
  /** `<>` for `!=`. */
  readonly sign: string
  readonly right: Node
  readonly node: A_Expr
}

const COMPARING = new Set(['<', '<=', '>', '>=', '=', '<>'])
const MIRRORED: Readonly<Record<string, string>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

const NEGATED: Readonly<Record<string, string>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' }

/** Comparisons at any depth, each from both sides; of `between` both bounds; of `not (a < b)` that `a >= b`. */
export function comparisonsIn(root: unknown, within?: Within): Comparison[] {
  const not = nodesOf(root, 'BoolExpr', within).flatMap(({ boolop, args }) =>
    boolop === 'NOT_EXPR' ? (as(args?.[0], 'A_Expr') ?? []) : [],
  )
  const negated = new Set(not)
  return nodesOf(root, 'A_Expr', within).flatMap(node => {
    const written = namesOf(node.name).at(-1) ?? ''
    const sign = negated.has(node) ? (NEGATED[written] ?? written) : written
    const { kind, lexpr: left, rexpr: right } = node
    if (left === undefined || right === undefined) return []
    const [least, most] = as(right, 'List')?.items ?? []
    if (kind === 'AEXPR_BETWEEN' && least !== undefined && most !== undefined)
      return [
        { left, sign: '>=', right: least, node },
        { left, sign: '<=', right: most, node },
      ]
    if (kind !== 'AEXPR_OP' || !COMPARING.has(sign)) return []
    return [
      { left, sign, right, node },
      { left: right, sign: MIRRORED[sign] ?? sign, right: left, node },
    ]
  })
}

/** Each value with what it is compared with by `=`, `<>` or `in`, outside of subqueries. */
export function equalitiesIn(root: unknown): Array<{ node: Node | undefined; left: Node }> {
  return nodesOf(root, 'A_Expr', { subqueries: false }).flatMap(({ kind, name, lexpr, rexpr }) => {
    const isEqual = /^(?:=|<>)$/.test(namesOf(name).at(-1) ?? '')
    if (!isEqual || lexpr === undefined || (kind !== 'AEXPR_IN' && kind !== 'AEXPR_OP')) return []
    return (as(rexpr, 'List')?.items ?? [rexpr]).map(node => ({ node, left: lexpr }))
  })
}

/** Conditions that are joined by `and`. */
export function conjunctsOf(condition: Node | undefined): Node[] {
  if (condition === undefined) return []
  const { boolop, args = [] } = as(condition, 'BoolExpr') ?? {}
  return boolop === 'AND_EXPR' ? args.flatMap(conjunctsOf) : [condition]
}

export interface Call {
  /** The function's name without its schema. */
  readonly name: string
  readonly args: readonly Node[]
  readonly node: FuncCall
}

/**
 * Calls of these functions at any depth; without names, all calls. PostgreSQL parses some syntax as calls:
 * `x at time zone y` is timezone(y, x), `extract(year from x)` is extract('year', x), and so is `overlaps`.
 * coalesce, nullif, greatest, least and `current_date` have node types of their own.
 */
export function callsIn(root: unknown, names?: readonly string[], within?: Within): Call[] {
  return nodesOf(root, 'FuncCall', within).flatMap(node => calledBy(node, names) ?? [])
}

/** The call if the whole expression is a call of one of these functions. */
export function callOf(node: Node | undefined, names: readonly string[]): Call | undefined {
  const call = as(node, 'FuncCall')
  return call && calledBy(call, names)
}

function calledBy(node: FuncCall, names?: readonly string[]): Call | undefined {
  const name = namesOf(node.funcname).at(-1) ?? ''
  return names?.includes(name) === false ? undefined : { name, args: node.args ?? [], node }
}

export interface ColumnReference {
  readonly qualifier: string | undefined
  readonly name: string
}

/** The parts of `name` or `table.name`; undefined for a star and other nodes. */
export function columnOf(node: Node | undefined): ColumnReference | undefined {
  const fields = as(node, 'ColumnRef')?.fields ?? []
  const names = namesOf(fields)
  const name = names.at(-1)
  if (name === undefined || names.length < fields.length) return undefined
  return { qualifier: names.at(-2), name }
}

/** The placeholder if the expression is only that, with casts. */
export function placeholderOf(node: Node | undefined): Placeholder | undefined {
  const number = as(withoutCasts(node), 'ParamRef')?.number
  return number === undefined ? undefined : PLACEHOLDERS[number - 1]
}

/** Placeholders at any depth. */
export function placeholdersIn(root: unknown): Placeholder[] {
  return nodesOf(root, 'ParamRef').flatMap(({ number = 0 }) => PLACEHOLDERS[number - 1] ?? [])
}

export function withoutCasts(node: Node | undefined): Node | undefined {
  const cast = as(node, 'TypeCast')
  return cast === undefined ? node : withoutCasts(cast.arg)
}

/** The operator of `a + b`; undefined for other nodes. */
export function operatorOf(node: Node | undefined): string | undefined {
  const { kind, name } = as(node, 'A_Expr') ?? {}
  return kind === 'AEXPR_OP' ? namesOf(name).at(-1) : undefined
}

/** The digits of `1.5` as written. */
export function numberOf(node: Node | undefined): string | undefined {
  const { ival, fval } = as(node, 'A_Const') ?? {}
  return ival === undefined ? fval?.fval : String(ival.ival ?? 0)
}

export const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** The content of `'x'`. */
export function stringOf(node: Node | undefined): string | undefined {
  const { sval } = as(node, 'A_Const') ?? {}
  return sval === undefined ? undefined : (sval.sval ?? '')
}

export function isNull(node: Node | undefined): boolean {
  return as(node, 'A_Const')?.isnull === true
}

/** PostgreSQL's internal name: `int4` for integer, `float8` for double precision, `timestamptz`, `numeric`. */
export function typeOf(name: TypeName | undefined): string {
  return namesOf(name?.names).at(-1) ?? ''
}

const AGGREGATES =
  /^(?:sum|count|avg|min|max|every|mode|any_value|\w+_agg|bool_\w+|bit_\w+|percentile_\w+|stddev\w*|variance|var_\w+|regr_\w+)$/

/** Whether an expression has an aggregate. */
export function isAggregated(expression: Node): boolean {
  return callsIn(expression, undefined, { subqueries: false }).some(
    ({ name, node: { over, agg_filter: filter } }) =>
      over === undefined && (filter !== undefined || AGGREGATES.test(name)),
  )
}
