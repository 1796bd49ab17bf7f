import { startOfDay } from '../../../definitions/statement.ts'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import {
  callOf,
  comparisonsIn,
  operatorOf,
  placeholderOf,
  typeOf,
  withoutCasts,
} from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'
import { nodes, onEach, type Scope } from './text-rule.ts'
import { timeType } from './time-type.ts'

export const sessionMidnight: Rule = {
  id: 'session-midnight',
  level: 'warning',
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
  return nodes('TypeCast')(scope).flatMap(({ node }) => {
    const isPlaceholder = as(node.arg, 'ParamRef') !== undefined
    const isDay = isPlaceholder && timeType(node.arg, scope.select, scope.draft) === 'date'
    const problem = 'is midnight in the time zone of the session'
    return isDay && typeOf(node.typeName) === 'timestamptz'
      ? [{ node, day: node.arg, problem }]
      : []
  })
}

/** `sold_at < (:as_of + 1)::timestamp at time zone :time_zone`, or such a midnight as a column */
function zoned({ expressions, select, draft }: Scope) {
  const compared = comparisonsIn(expressions, { subqueries: false }).map(({ right }) => right)
  return [...compared, ...select.items.map(one => one.expression)].flatMap(whole => {
    const { node, args: [zone, day] = [] } = callOf(withoutCasts(whole), ['timezone']) ?? {}
    const isMidnight = operatorOf(day) === undefined && timeType(day, select, draft) === 'local'
    const isOfOrganization = isMidnight && placeholderOf(zone) === 'time_zone'
    const problem = 'is the later midnight if it comes twice'
    return node !== undefined && isOfOrganization ? [{ node, day, problem }] : []
  })
}
