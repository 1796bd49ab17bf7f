/** How an expression scales its columns: by 0.01 in `sum(amount) / 100`. */
import type { Node, TypeCast } from 'libpg-query'
import { as, offsetOf } from '../../definitions/sql/syntax-tree.ts'
import { valuesBehind } from './columns.ts'
import {
  alternativesOf,
  callOf,
  CHOOSING,
  constantOf,
  numberOf,
  operatorOf,
  typeOf,
} from './expressions.ts'
import type { Select } from './query.ts'

/** A path from an expression to a column that it adds up, through CTEs and subqueries. */
export interface LinearPath {
  /** NaN if the factor is not constant. */
  readonly factor: number
  /** The column of a table, or another expression that is not followed. */
  readonly column: Node
  /** The outermost multiplication or division by a constant that is not 1. */
  readonly scaledBy: Node | undefined
  readonly casts: TypeCast[]
  /** The node that rounds to decimal places, and the factor by which its result is multiplied. */
  readonly fraction: { readonly node: Node; readonly factor: number } | undefined
}

const LINEAR = [...CHOOSING, 'sum', 'avg', 'percentile_cont', 'percentile_disc']

const ROUNDING = ['round', 'trunc', 'floor', 'ceil', 'ceiling']
const WHOLE = new Set(['int2', 'int4', 'int8'])

/** Empty for constants. @param known cached paths: a CTE may be read many times */
export function linearPaths(
  expression: Node,
  select: Select,
  known = new Map<Node, LinearPath[]>(),
): LinearPath[] {
  const cachedPaths = known.get(expression)
  if (cachedPaths !== undefined) return cachedPaths
  const unique = new Map(
    pathsOf(expression, select, known).map(path => [
      `${offsetOf(path.column)} ${path.factor} ${path.casts.length}`,
      path,
    ]),
  )
  known.set(expression, [...unique.values()])
  return [...unique.values()]
}

function pathsOf(expression: Node, select: Select, known: Map<Node, LinearPath[]>): LinearPath[] {
  const paths = (...nodes: ReadonlyArray<Node | undefined>) =>
    nodes.flatMap(node => (node === undefined ? [] : linearPaths(node, select, known)))
  if (numberOf(expression) !== undefined || as(expression, 'A_Const')) return []

  const cast = as(expression, 'TypeCast')
  const rounded = callOf(expression, ROUNDING)
  if (cast !== undefined || rounded !== undefined) {
    const digits = cast === undefined ? rounded?.args[1] : cast.typeName?.typmods?.[1]
    const isWhole = cast === undefined || WHOLE.has(typeOf(cast.typeName))
    const isFraction = Number(numberOf(digits) ?? 0) > 0
    const own = isFraction ? { node: expression, factor: 1 } : undefined
    const through = (path: LinearPath): LinearPath => ({
      ...path,
      casts: cast === undefined ? path.casts : [cast].concat(path.casts),
      fraction: isFraction || isWhole ? own : path.fraction,
    })
    return paths(cast?.arg ?? rounded?.args[0]).map(through)
  }
  const linear = callOf(expression, LINEAR)
  if (linear !== undefined) {
    const [ordered] = linear.node.agg_within_group === true ? (linear.node.agg_order ?? []) : []
    return paths(as(ordered, 'SortBy')?.node ?? linear.args[0])
  }
  const alternatives = alternativesOf(expression)
  if (alternatives.length > 0) return paths(...alternatives)
  const { lexpr, rexpr } = as(expression, 'A_Expr') ?? {}
  const operator = operatorOf(expression)
  if (operator === '+' || operator === '-') return paths(lexpr, rexpr)
  if (operator === '*' || operator === '/') {
    const [left, right] = [constantOf(lexpr), constantOf(rexpr)]
    const by = right === undefined ? (operator === '*' ? left : undefined) : right
    if (by === undefined) return [leaf(expression, NaN)]
    return paths(right === undefined ? rexpr : lexpr).map(path =>
      scaled(path, operator === '*' ? by : 1 / by, expression),
    )
  }
  const values = valuesBehind(expression, select)
  return values.length === 0
    ? [leaf(expression, 1)]
    : values.flatMap(one => linearPaths(...one, known))
}

function scaled(path: LinearPath, factor: number, by: Node): LinearPath {
  const { fraction, scaledBy } = path
  return {
    ...path,
    factor: path.factor * factor,
    scaledBy: factor === 1 ? scaledBy : by,
    fraction: fraction && { node: fraction.node, factor: fraction.factor * factor },
  }
}

function leaf(column: Node, factor: number): LinearPath {
  return { factor, column, scaledBy: undefined, casts: [], fraction: undefined }
}
