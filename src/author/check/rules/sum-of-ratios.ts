import { originOf } from '../origins.ts'
import { callOf, columnOf } from '../../sql/expressions.ts'
import { calls, onEach, type Rule } from './rule.ts'

const RATIOS = 'avg percentile_cont percentile_disc mode row_number rank dense_rank'.split(' ')

export const sumOfRatios: Rule = {
  sentence: 'The total adds up averages, ranks or sums over a window.',
  bad: ', avg(sales.amount) as amount',
  good: ', sum(sales.amount) as amount',
  find: onEach(
    scope => (scope.part === scope.draft.statement ? [] : calls('sum', 'avg')(scope)),
    ({ name, args: [argument] }, { select }) => {
      if (argument === undefined) return undefined
      const [origin, within] = originOf(argument, select)
      const [rounded, of] = originOf(callOf(origin, ['round'])?.args[0] ?? origin, within)
      const call = callOf(originOf(rounded, of)[0], [...RATIOS, 'sum', 'count'])
      return (
        call !== undefined &&
        (RATIOS.includes(call.name) || call.node.over !== undefined) &&
        `${name}(${columnOf(argument)?.name}) is of ${call.name}(...), which does not add up, expected it from the rows' own sums, or none`
      )
    },
  ),
}
