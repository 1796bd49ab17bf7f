import type { Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { originOf } from '../origins.ts'
import { callOf, operatorOf } from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'
import { valuesOf } from './text-rule.ts'

export const nullMetric: Rule = {
  id: 'null-metric',
  level: 'warning',
  sentence: 'A metric is null where no rows are, not 0.',
  bad: 'select sum(sales.amount) as taken from sales where sales.day < :period_end',
  good: 'select coalesce(sum(sales.amount), 0) as taken from sales where sales.day < :period_end',
  find: draft =>
    (draft.metrics === undefined ? [] : valuesOf(draft, 'money', 'integer')).flatMap(one => {
      const [whole, within] = originOf(one.expression, one.select)
      const isSum = summandsOf(whole).some(summand => callOf(summand, ['sum']) !== undefined)
      if (!isSum || within.node.groupClause !== undefined) return []
      const written = one.part.written(whole)
      const message = `${written} over no rows is null, expected coalesce(${written}, 0)`
      return [{ line: one.part.line(whole), message }]
    }),
}

function summandsOf(node: Node | undefined): Array<Node | undefined> {
  const { lexpr, rexpr } = as(node, 'A_Expr') ?? {}
  return /^[+-]$/.test(operatorOf(node) ?? '') ? [lexpr, rexpr].flatMap(summandsOf) : [node]
}
