import type { Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { originOf } from '../origins.ts'
import { callOf, operatorOf } from '../../sql/expressions.ts'
import { onEach, values, type Rule } from './rule.ts'

export const nullMetric: Rule = {
  sentence: 'A metric is null where no rows are, not 0.',
  bad: 'select sum(sales.amount) as taken from sales where sales.day < :period_end',
  good: 'select coalesce(sum(sales.amount), 0) as taken from sales where sales.day < :period_end',
  find: onEach(
    scope =>
      (scope.draft.metrics ? values('money', 'integer')(scope) : []).map(one => {
        const [node, within] = originOf(one.node, scope.select)
        return { node, within }
      }),
    ({ node, within }, { part }) => {
      const written = part.written(node)
      return (
        summandsOf(node).some(one => callOf(one, ['sum']) !== undefined) &&
        within.node.groupClause === undefined &&
        `${written} over no rows is null, expected coalesce(${written}, 0)`
      )
    },
  ),
}

function summandsOf(node: Node | undefined): Array<Node | undefined> {
  const { lexpr, rexpr } = as(node, 'A_Expr') ?? {}
  return /^[+-]$/.test(operatorOf(node) ?? '') ? [lexpr, rexpr].flatMap(summandsOf) : [node]
}
