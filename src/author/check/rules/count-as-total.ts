import { callOf } from '../../sql/expressions.ts'
import { onEach, values, type Rule } from './rule.ts'

export const countAsTotal: Rule = {
  sentence: 'The total of money or of a quantity is the number of rows.',
  bad: 'amount: { title: Amount, type: money, total: count(*) }',
  good: 'amount: { title: Amount, type: money, total: sum(amount) }',
  find: onEach(values('money', 'number'), ({ name, node }, { draft, part }) => {
    const { agg_star: isCount, agg_filter: filter } = callOf(node, ['count'])?.node ?? {}
    const type = draft.report?.columns[name]?.type
    return (
      part !== draft.statement &&
      type !== undefined &&
      isCount === true &&
      filter === undefined &&
      `count(*) is the number of rows under a column of type ${type}, expected sum(${name}), or none`
    )
  }),
}
