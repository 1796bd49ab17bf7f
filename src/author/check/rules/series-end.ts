import { stringOf } from '../../sql/expressions.ts'
import { relationOf } from '../origins.ts'
import { boundsOf, endpointOf, ENDS, isPlain } from './bounds.ts'
import { calls, onEach, type Rule } from './rule.ts'

export const seriesEnd: Rule = {
  sentence:
    '`generate_series` also returns its end, and so does a range with `[]`, which the period excludes.',
  bad: "select day from generate_series(:period_start, :period_end, interval '1 day') as d (day)",
  good: "select day from generate_series(:period_start, :period_end - 1, interval '1 day') as d (day)",
  find: onEach(
    calls('generate_series', 'daterange', 'tsrange', 'tstzrange'),
    ({ name, args: [, to, third] }, { draft, select, part }) => {
      const end = endpointOf(to, select)
      const isSeries = name === 'generate_series'
      // why: a condition may cut what it returns
      const isCut = boundsOf(draft).some(
        one =>
          one.sign === '<' &&
          isPlain(one, ENDS) &&
          relationOf(one.left, one.scope.select)?.kind !== 'table',
      )
      if (!isPlain(end, ENDS) || (isSeries ? isCut : stringOf(third)?.endsWith(']') !== true))
        return undefined
      const { placeholder } = end
      const [step, day] = placeholder.endsWith('_at')
        ? ["interval '1 day'", 'moment']
        : ['1', 'day']
      const written = `${part.written(to)}${isSeries ? '' : `, '${stringOf(third)}'`}`
      const expected = `:${placeholder}${isSeries ? ` - ${step}` : ''}`
      return `${written} as the end of ${name} includes the ${day} after the period, expected ${expected}`
    },
  ),
}
