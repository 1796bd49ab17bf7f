import { startOfDay } from '../../../definitions/statement.ts'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { callOf, operatorOf, placeholderOf, typeOf, withoutCasts } from '../../sql/expressions.ts'
import { comparisons, nodes, onEach, type Rule } from './rule.ts'
import type { Scope } from './draft.ts'
import { timeType } from './time-type.ts'

export const sessionMidnight: Rule = {
  sentence: 'A day becomes an instant that is not always its first one in the organization.',
  bad: 'and sales.sold_at >= :period_start::timestamptz',
  good: 'and sales.sold_at >= :period_start_at',
  find: onEach(
    scope => [...casts(scope), ...zoned(scope)],
    ({ node, day, problem }, { part }) => {
      const name = placeholderOf(day) ?? ''
      const isOfPeriod = name.startsWith('period')
      const expected = isOfPeriod
        ? `:${name}_at`
        : startOfDay(`${part.written(day)}::date`, ':time_zone')
      return `${part.written(node)} ${problem}, expected ${expected}`
    },
  ),
}

function casts(scope: Scope) {
  const problem = 'is midnight in the time zone of the session'
  return nodes('TypeCast')(scope).flatMap(({ node }) => {
    const { arg: day, typeName } = node
    const isDay = as(day, 'ParamRef') && timeType(day, scope.select, scope.draft) === 'date'
    return isDay && typeOf(typeName) === 'timestamptz' ? [{ node, day, problem }] : []
  })
}

/** `sold_at < (:as_of + 1)::timestamp at time zone :time_zone`, or such a midnight as a column */
function zoned(scope: Scope) {
  const problem = 'is the later midnight if it comes twice'
  const compared = comparisons(scope).map(({ right }) => right)
  return [...compared, ...scope.select.items.map(one => one.expression)].flatMap(whole => {
    const { node, args: [zone, day] = [] } = callOf(withoutCasts(whole), ['timezone']) ?? {}
    const isDay =
      operatorOf(day) === undefined && timeType(day, scope.select, scope.draft) === 'local'
    return node && isDay && placeholderOf(zone) === 'time_zone' ? [{ node, day, problem }] : []
  })
}
