import { calls, onEach, type Rule } from './rule.ts'

export const distinctSum: Rule = {
  sentence: '`sum(distinct ...)` drops amounts that are equal.',
  bad: ', sum(distinct sales.amount) as amount',
  good: ', sum(sales.amount) as amount',
  find: onEach(calls('sum', 'avg'), ({ name, args, node }, { part }) => {
    const inner = part.written(args[0])
    return (
      node.agg_distinct === true &&
      `${name}(distinct ${inner}) drops amounts that are equal, expected ${name}(${inner}) over rows that no join multiplies`
    )
  }),
}
