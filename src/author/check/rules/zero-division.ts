import { as, nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { originOf } from '../origins.ts'
import { callOf } from '../../sql/expressions.ts'
import { divisions, nodes, onEach, type Rule } from './rule.ts'

export const zeroDivision: Rule = {
  sentence: 'A divisor may be 0: a sum of rows that cancel out, a count of none.',
  bad: ', sum(sales.amount) / sum(sales.cost) as part',
  good: ', sum(sales.amount) / nullif(sum(sales.cost), 0) as part',
  find: onEach(
    scope => {
      // why: a `case` around it may test for 0
      const guarded = new Set(nodesOf(nodes('CaseExpr')(scope), 'A_Expr'))
      return divisions(scope).filter(({ expression }) => !guarded.has(expression))
    },
    ({ divisor }, { select, part, draft }) => {
      const [whole, within] = originOf(divisor, select)
      const origin = as(whole, 'CoalesceExpr')?.args?.[0] ?? whole
      const count = callOf(origin, ['count'])?.node
      const isFiltered = count !== undefined && (count.agg_filter ?? part !== draft.statement)
      const [summed] = callOf(origin, ['sum'])?.args ?? []
      const [counted, of] = originOf(summed ?? origin, within)
      // why: a group has at least one row
      const isOfCounts =
        callOf(counted, ['count']) !== undefined && of.node.groupClause !== undefined
      const isTested = within.node.havingClause !== undefined
      const written = part.written(divisor)
      return (
        (isFiltered || (summed !== undefined && (!isOfCounts || origin !== whole))) &&
        !isTested &&
        `${written} may be 0, expected nullif(${written}, 0) as the divisor`
      )
    },
  ),
}
