/** Parts of expressions that rules read: comparisons, calls, columns, constants. */
import type { A_Expr, FuncCall, Node, SelectStmt, TypeName, WindowDef } from 'libpg-query'
import { PLACEHOLDERS, type Placeholder } from '../../definitions/definition.ts'
import {
  as,
  namesOf,
  nodesOf,
  offsetOf,
  walk,
  type NodeKind,
  type NodeOf,
  type Within,
} from '../../definitions/sql/syntax-tree.ts'

export interface Comparison {
  readonly left: Node
  /** `<>` for `!=`. */
  readonly sign: string
  readonly right: Node
  readonly node: A_Expr
}

const COMPARING = new Set(['<', '<=', '>', '>=', '=', '<>'])
export const MIRRORED: Readonly<Record<string, string>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

/** Comparisons at any depth, each from both sides. */
export function comparisonsIn(root: unknown, within?: Within): Comparison[] {
  return nodesOf(root, 'A_Expr', within).flatMap(node => {
    const sign = namesOf(node.name).at(-1) ?? ''
    const { kind, lexpr: left, rexpr: right } = node
    if (kind !== 'AEXPR_OP' || !COMPARING.has(sign)) return []
    if (left === undefined || right === undefined) return []
    return [
      { left, sign, right, node },
      { left: right, sign: MIRRORED[sign] ?? sign, right: left, node },
    ]
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

/** The placeholder if the expression is only that, with casts, or as `(select :name)`. */
export function placeholderOf(node: Node | undefined): Placeholder | undefined {
  const inner = withoutCasts(node)
  const select = as(as(inner, 'SubLink')?.subselect, 'SelectStmt')
  const [item, ...others] = select?.fromClause === undefined ? (select?.targetList ?? []) : []
  if (item !== undefined && others.length === 0) return placeholderOf(as(item, 'ResTarget')?.val)
  const number = as(inner, 'ParamRef')?.number
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

const DIGITS = ['round', 'trunc', 'ceil', 'ceiling', 'floor']

/** `x` in `round(coalesce(nullif(x, 0), 1)::numeric, 1)`. */
export function withoutRounding(node: Node | undefined): Node | undefined {
  const inner =
    as(node, 'TypeCast')?.arg ??
    callOf(node, DIGITS)?.args[0] ??
    as(node, 'CoalesceExpr')?.args?.[0] ??
    (as(node, 'A_Expr')?.kind === 'AEXPR_NULLIF' ? as(node, 'A_Expr')?.lexpr : undefined)
  return inner === undefined ? node : withoutRounding(inner)
}

/** Nodes of a kind from which an expression's value is computed; excludes filters, windows, the conditions of `case` and subqueries. */
export function contributing<Kind extends NodeKind>(root: Node, kind: Kind): Array<NodeOf<Kind>> {
  const found: Array<NodeOf<Kind>> = []
  walk(root, ({ kind: own, node, field, above }) => {
    const isCondition = field === 'expr' && above?.kind === 'CaseWhen'
    if (isCondition || field === 'agg_filter' || field === 'over') return false
    if (own === kind) found.push(node as NodeOf<Kind>)
    return own !== 'SubLink'
  })
  return found
}

/** The operator of `a + b`; undefined for other nodes. */
export function operatorOf(node: Node | undefined): string | undefined {
  const { kind, name } = as(node, 'A_Expr') ?? {}
  return kind === 'AEXPR_OP' ? namesOf(name).at(-1) : undefined
}

/** The digits of `1` or `-1.5` as written. */
export function numberOf(node: Node | undefined): string | undefined {
  const { ival, fval } = as(node, 'A_Const') ?? {}
  if (ival !== undefined) return String(ival.ival ?? 0)
  if (fval !== undefined) return fval.fval
  const { kind, lexpr, rexpr, name } = as(node, 'A_Expr') ?? {}
  const inner = kind === 'AEXPR_OP' && lexpr === undefined ? numberOf(rexpr) : undefined
  return inner !== undefined && namesOf(name).at(-1) === '-' ? `-${inner}` : inner
}

/** The number in `100`, `100.0::numeric` or `'100'::numeric`. */
export function constantOf(node: Node | undefined): number | undefined {
  const constant = withoutCasts(node)
  const digits = numberOf(constant) ?? stringOf(constant)?.trim()
  const number = digits === undefined || digits === '' ? NaN : Number(digits)
  return Number.isNaN(number) ? undefined : number
}

/** Whether the value is a product of two expressions that are not constant. */
export function multiplies(node: Node): boolean {
  return contributing(node, 'A_Expr').some(
    product =>
      operatorOf({ A_Expr: product }) === '*' &&
      [product.lexpr, product.rexpr].every(side => constantOf(side) === undefined),
  )
}

/** The results of a `case`, except null. */
export function resultsOf(node: Node | undefined): Node[] {
  const { args = [], defresult } = as(node, 'CaseExpr') ?? {}
  const all = [...args.map(when => as(when, 'CaseWhen')?.result), defresult]
  return all.flatMap(result => (result === undefined || isNull(result) ? [] : result))
}

/** Functions that return one of their arguments, or its absolute value. */
const CHOOSING = 'min max lag lead first_value last_value nth_value any_value abs'.split(' ')

/** Expressions one of which is the value: results of `case`, arguments of `coalesce`, `greatest`, `nullif`, `max`. */
export function alternativesOf(node: Node): readonly Node[] {
  const { kind, lexpr } = as(node, 'A_Expr') ?? {}
  const { args = [] } =
    as(node, 'CoalesceExpr') ?? as(node, 'MinMaxExpr') ?? callOf(node, CHOOSING) ?? {}
  const nullif = kind === 'AEXPR_NULLIF' && lexpr !== undefined ? [lexpr] : []
  return [...args, ...resultsOf(node), ...nullif]
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

export function offsetIn(node: unknown): number {
  return offsetOf(node) ?? 0
}

const AGGREGATES =
  /^(?:sum|count|avg|min|max|every|mode|any_value|\w+_agg|bool_\w+|bit_\w+|percentile_\w+|stddev\w*|variance|var_\w+|regr_\w+)$/

/** Whether an expression has an aggregate, which makes one row of a select without groups. */
export function isAggregated(expression: Node): boolean {
  return callsIn(expression, undefined, { subqueries: false }).some(
    ({ name, node: { over, agg_filter: filter } }) =>
      over === undefined && (filter !== undefined || AGGREGATES.test(name)),
  )
}

/** Whether a window has an order, its own or that of the named window on which it builds. */
export function isOrdered({ orderClause, refname, name }: WindowDef, select: SelectStmt): boolean {
  const base = (select.windowClause ?? [])
    .flatMap(node => as(node, 'WindowDef') ?? [])
    .find(one => one.name === (refname ?? name))
  return orderClause !== undefined || base?.orderClause !== undefined
}
