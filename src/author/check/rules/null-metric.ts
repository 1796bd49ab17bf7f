import type { FuncCall, Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { valuesBehind } from '../origins.ts'
import { callOf, operatorOf } from '../../sql/expressions.ts'
import type { Select } from '../statement.ts'
import type { Rule } from './rule.ts'
import { namesOfType } from './values.ts'

export const nullMetric: Rule = {
  id: 'null-metric',
  level: 'warning',
  sentence: 'A metric is null where no rows are, not 0.',
  bad: 'select sum(sales.amount) as taken from sales where sales.day < :period_end',
  good: 'select coalesce(sum(sales.amount), 0) as taken from sales where sales.day < :period_end',
  find: draft => {
    const { statement, query, metrics } = draft
    const [select] = query.selects
    if (metrics === undefined || select === undefined) return []
    return namesOfType(draft, 'money', 'integer').flatMap(name => {
      const found = bareSum(select.items.find(item => item.name === name)?.expression, select)
      if (found === undefined) return []
      const sum = statement.written({ FuncCall: { ...found, agg_filter: undefined } })
      const message = `${sum} over no rows is null, expected coalesce(${sum}, 0)`
      return [{ line: statement.line(found.location), message }]
    })
  },
}

/** The sum that makes the expression null if no rows are; undefined if null is replaced, as by `coalesce`. */
function bareSum(node: Node | undefined, select: Select): FuncCall | undefined {
  if (node === undefined || select.node.groupClause !== undefined) return undefined
  const { args = [], node: call } = callOf(node, ['sum', 'round', 'abs', 'trunc']) ?? {}
  if (callOf(node, ['sum']) !== undefined) return call?.over === undefined ? call : undefined
  const [behind] = valuesBehind(node, select)
  if (behind !== undefined) return bareSum(...behind)
  const { lexpr, rexpr } = operatorOf(node) === '/' ? {} : (as(node, 'A_Expr') ?? {})
  const parts = [as(node, 'TypeCast')?.arg, lexpr, rexpr, args[0]]
  return parts.map(part => bareSum(part, select)).find(Boolean)
}
