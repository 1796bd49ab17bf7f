import { callOf } from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'

export const countAsTotal: Rule = {
  id: 'count-as-total',
  level: 'warning',
  sentence: 'The total of money or of a quantity is the number of rows.',
  bad: 'amount: { title: Amount, type: money, total: count(*) }',
  good: 'amount: { title: Amount, type: money, total: sum(amount) }',
  find: ({ totals }) =>
    totals.flatMap(({ root, name, type, line, isColumn }) => {
      const { agg_star: isCount, agg_filter: filter } = callOf(root, ['count'])?.node ?? {}
      const isOther = isColumn && (type === 'money' || type === 'number')
      if (!isOther || isCount !== true || filter !== undefined) return []
      const message = `count(*) is the number of rows under a column of type ${type}, expected sum(${name}), or none`
      return [{ line: line(root), message }]
    }),
}
