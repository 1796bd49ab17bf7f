/** The expressions whose value an expression may take. */
import type { Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { makerOf, makersBehind } from '../../sql/columns.ts'
import { callOf, isNull, resultsOf } from '../../sql/expressions.ts'
import type { Select } from '../../sql/query.ts'

/** Functions that return one of their arguments. */
const CHOOSING = 'min max lag lead first_value last_value any_value abs'.split(' ')

/**
 * Expressions whose non-null value it may take: results of `case`, arguments of `coalesce` and `max`, the source of a
 * column or a scalar subquery. Empty for computed values and table columns.
 */
export function choicesOf(node: Node, select: Select): Array<readonly [Node, Select]> {
  const { kind, lexpr } = as(node, 'A_Expr') ?? {}
  const inside = [
    ...resultsOf(node),
    ...(as(node, 'CoalesceExpr')?.args ?? []),
    ...(as(node, 'MinMaxExpr')?.args ?? []),
    ...(callOf(node, CHOOSING)?.args ?? []),
    ...(kind === 'AEXPR_NULLIF' && lexpr !== undefined ? [lexpr] : []),
  ]
  const scalar = makerOf(node, select)
  const makers = [...makersBehind(node, select), ...(scalar === undefined ? [] : [scalar])]
  return [
    ...inside.filter(one => !isNull(one)).map(one => [one, select] as const),
    ...makers.map(made => [made.item.expression, made.select] as const),
  ]
}

/** Caches `find` by node, since columns of CTEs are reached many times. A node belongs to one select. */
export function perNode<Found>(find: (node: Node, select: Select) => Found) {
  const known = new WeakMap<Node, Found>()
  return (node: Node | undefined, select: Select): Found | undefined => {
    if (node === undefined) return undefined
    if (!known.has(node)) known.set(node, find(node, select))
    return known.get(node)
  }
}
