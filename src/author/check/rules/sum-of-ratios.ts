import { originOf } from '../origins.ts'
import { callOf, columnOf } from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'
import { calls, onEach } from './text-rule.ts'

const RATIOS = [
  'avg',
  'percentile_cont',
  'percentile_disc',
  'mode',
  'row_number',
  'rank',
  'dense_rank',
]

export const sumOfRatios: Rule = {
  id: 'sum-of-ratios',
  level: 'warning',
  sentence: 'The total adds up averages or ranks.',
  bad: ', avg(sales.amount) as amount',
  good: ', sum(sales.amount) as amount',
  find: onEach(
    scope => (scope.part === scope.draft.statement ? [] : calls('sum', 'avg')(scope)),
    ({ name, args: [argument] }, { select }) => {
      if (argument === undefined) return undefined
      const [origin, within] = originOf(argument, select)
      const [rounded, of] = originOf(callOf(origin, ['round'])?.args[0] ?? origin, within)
      const ratio = callOf(originOf(rounded, of)[0], RATIOS)?.name
      return (
        ratio !== undefined &&
        `${name}(${columnOf(argument)?.name}) is of ${ratio}(...), which does not add up, expected it from the rows' own sums, or none`
      )
    },
  ),
}
