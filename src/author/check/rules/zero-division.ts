import type { Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { origins } from '../origins.ts'
import { callOf, comparisonsIn, numberOf, withoutCasts } from '../../sql/expressions.ts'
import type { Select } from '../statement.ts'
import { divisionsIn } from './divisions.ts'
import type { Rule } from './rule.ts'
import { columnNames, onEach } from './text-rule.ts'

export const zeroDivision: Rule = {
  id: 'zero-division',
  level: 'warning',
  sentence: 'A divisor may be 0: a sum of rows that cancel out, a count of none.',
  bad: ', sum(sales.amount) / sum(sales.cost) as part',
  good: ', sum(sales.amount) / nullif(sum(sales.cost), 0) as part',
  find: onEach(divisionsIn, ({ divisor, isGuarded }, { select, draft, part }) => {
    if (isGuarded || isTested(divisor, select)) return undefined
    const mayBeZero = origins(divisor, select, withoutCasts).some(
      ([origin, within]) =>
        isZeroable(origin, within, part !== draft.statement) && !isTested(origin, within),
    )
    const written = part.written(divisor)
    return mayBeZero && `${written} may be 0, expected nullif(${written}, 0) as the divisor`
  }),
}

function isZeroable(expression: Node, select: Select, isTotal: boolean): boolean {
  const inner = as(expression, 'CoalesceExpr')?.args?.[0] ?? expression
  const count = callOf(inner, ['count'])?.node
  const isCount = count !== undefined && (count.agg_filter !== undefined || isTotal)
  const [summed] = callOf(inner, ['sum'])?.args ?? []
  if (summed === undefined) return isCount && count.over === undefined
  // why: a group has at least one row, so that a sum of counts is null or above 0
  const isOfCounts = origins(summed, select).every(([origin, { node }]) => {
    const groups = node.groupClause ?? []
    const isGrouped = groups.length > 0 && !groups.some(one => as(one, 'GroupingSet'))
    return callOf(origin, ['count'])?.node.agg_star === true && isGrouped
  })
  return inner !== expression || !isOfCounts
}

/** Whether a condition of the select compares a column of the divisor with a number, which may exclude 0. */
function isTested(divisor: Node, { node, relations }: Select): boolean {
  const names = columnNames(divisor)
  const conditions = [node.whereClause, node.havingClause, ...relations.map(({ on }) => on)]
  return comparisonsIn(conditions).some(
    ({ left, right }) =>
      numberOf(withoutCasts(right)) !== undefined &&
      columnNames(left).some(name => names.includes(name)),
  )
}
