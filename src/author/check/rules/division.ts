/** Rules on division: fractions are not lost, and a divisor cannot be 0. */
import type { Node } from 'libpg-query'
import { as, nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { expressionsBehind, type ScopedNode } from '../../sql/columns.ts'
import {
  callOf,
  comparisonsIn,
  numberOf,
  operatorOf,
  resultsOf,
  typeOf,
  withoutCasts,
} from '../../sql/expressions.ts'
import type { Select } from '../../sql/relations.ts'
import { isAggregate } from '../../sql/aggregates.ts'
import { choicesOf, perNode } from './choices.ts'
import { columnNames, nodes, onEach, type Scope } from './text-rule.ts'

/** Integer division loses the fraction. Without column types, only counts, casts and literals are known integers. */
export const wholeDivision = onEach(
  divisionsIn,
  ({ dividend, divisor }, { select, part }) =>
    numberOf(divisor) === undefined &&
    [dividend, divisor].every(side => isWholeNumber(side, select)) &&
    `${part.written(dividend)} / ${part.written(divisor)} drops the fraction of integers, expected 100.0 or a cast to numeric`,
)

/** `sum(x)` over rows that cancel out, and `count(*)` over none, are 0. */
export const zeroDivision = onEach(
  divisionsIn,
  ({ divisor, isGuarded }, { draft, select, part }) => {
    if (isGuarded || isTested(divisor, select)) return undefined
    const mayBeZero = expressionsBehind(withoutCasts(divisor) ?? divisor, select).some(
      origin => isZeroable(origin, part !== draft.statement) && !isTested(...origin),
    )
    const written = part.written(divisor)
    return mayBeZero && `${written} may be 0, expected nullif(${written}, 0) as the divisor`
  },
)

/** Divisions, and whether a `case` around them may test for 0. */
function divisionsIn(scope: Scope) {
  const guarded = new Set(nodesOf(nodes('CaseExpr')(scope), 'A_Expr'))
  return nodes('A_Expr')(scope).flatMap(({ node }) => {
    const { lexpr: dividend, rexpr: divisor, location } = node
    if (operatorOf({ A_Expr: node }) !== '/' || !dividend || !divisor) return []
    return [{ node: location, dividend, divisor, isGuarded: guarded.has(node) }]
  })
}

const INTEGERS = new Set(['int2', 'int4', 'int8'])
const COUNTS = ['count', 'row_number', 'rank', 'dense_rank', 'ntile']

const isWholeNumber = perNode((expression, select): boolean => {
  const number = numberOf(expression)
  if (number !== undefined) return /^-?\d+$/.test(number)
  const { lexpr, rexpr } = as(expression, 'A_Expr') ?? {}
  if (['+', '-', '*', '/'].includes(operatorOf(expression) ?? '')) {
    return [lexpr, rexpr].every(side => isWholeNumber(side, select))
  }
  const cast = as(expression, 'TypeCast')
  if (cast !== undefined) {
    const call = as(cast.arg, 'FuncCall')
    const isOfRows = call !== undefined && (isAggregate(call) || call.over !== undefined)
    return (
      INTEGERS.has(typeOf(cast.typeName)) && (isOfRows || isWholeNumber(cast.arg, select) === true)
    )
  }
  if (callOf(expression, COUNTS) !== undefined) return true
  // why: sum(integer) is bigint and sum(bigint) is numeric; only a `case` of literals shows which
  const summed = callOf(expression, ['sum'])?.args[0]
  if (summed !== undefined)
    return resultsOf(summed).length > 0 && isWholeNumber(summed, select) === true
  const choices = choicesOf(expression, select)
  return choices.length > 0 && choices.every(choice => isWholeNumber(...choice))
})

function isZeroable([expression, select]: ScopedNode, isTotal: boolean): boolean {
  const inner = as(expression, 'CoalesceExpr')?.args?.[0] ?? expression
  const count = callOf(inner, ['count'])?.node
  const isCount = count !== undefined && (count.agg_filter !== undefined || isTotal)
  const sum = callOf(inner, ['sum'])
  const isSum = sum !== undefined && (inner !== expression || !isOfGroups(sum.args[0], select))
  return isSum || (isCount && count.over === undefined)
}

/** Whether it sums `count(*)` of groups: each group has at least one row, so the sum is null or above 0. */
function isOfGroups(summed: Node | undefined, select: Select): boolean {
  if (summed === undefined) return false
  return expressionsBehind(summed, select).every(([origin, { node }]) => {
    const { agg_star: isStar, agg_filter: filter, over } = callOf(origin, ['count'])?.node ?? {}
    const groups = node.groupClause ?? []
    // why: `rollup` and `grouping sets (())` return a row even for no input rows
    const isGrouped = groups.length > 0 && groups.every(one => !as(one, 'GroupingSet'))
    return isStar === true && filter === undefined && over === undefined && isGrouped
  })
}

/** Whether a condition of the select compares a column of the divisor with a number, which may exclude 0. */
function isTested(divisor: Node, { node, relations }: Select): boolean {
  const names = new Set(columnNames(divisor))
  const conditions = [node.whereClause, node.havingClause, ...relations.map(({ on }) => on)]
  return comparisonsIn(conditions).some(
    ({ left, right }) =>
      numberOf(withoutCasts(right)) !== undefined &&
      columnNames(left).some(name => names.has(name)),
  )
}
