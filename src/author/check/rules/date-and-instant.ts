import { callOf, comparisonsIn, placeholderOf, placeholdersIn } from '../../sql/expressions.ts'
import { endpointOf } from './bounds.ts'
import type { Rule } from './rule.ts'
import { columnNames, onEach } from './text-rule.ts'
import { byLocalTime, timeType, type TimeType } from './time-type.ts'

const DAYS = new Set(['period_start', 'period_end', 'as_of', 'today'])
const OTHER: Readonly<Record<string, string>> = {
  period_start: 'period_start_at',
  period_end: 'period_end_at',
  period_start_at: 'period_start',
  period_end_at: 'period_end',
  now: 'today',
}

export const dateAndInstant: Rule = {
  id: 'date-and-instant',
  level: 'warning',
  sentence: 'An instant is compared with a day, which begins in the time zone of the session.',
  bad: 'and sales.sold_at < :period_end',
  good: 'and sales.sold_at < :period_end_at',
  find: onEach(
    ({ expressions }) =>
      comparisonsIn(expressions, { subqueries: false }).filter(
        ({ left }) => columnNames(left).length > 0,
      ),
    ({ left, sign, right, node }, { select, part, draft }) => {
      const [one, other] = [left, right].map(side => timeType(side, select, draft))
      const name =
        placeholdersIn(right).find(found => OTHER[found]) ??
        endpointOf(right, select)?.placeholder ??
        ''
      const isBetween = node.kind === 'AEXPR_BETWEEN'
      const whole = (side: string, end = part.written(right)) =>
        isBetween
          ? part.written({ A_Expr: node }).replace(part.written(left), () => side)
          : `${side} ${sign} ${end}`
      const compares = (what: string, expected: string) =>
        `${whole(part.written(left))} compares ${what}, expected ${expected}`
      const [zone, time] = callOf(left, ['timezone'])?.args ?? []
      if (
        placeholderOf(zone) === 'time_zone' &&
        other === 'instant' &&
        isTime(timeType(time, select, draft))
      )
        return compares('a local time with an instant', whole(part.written(time)))
      if (one === 'date' && other === 'instant' && placeholderOf(right) === name && !isBetween)
        return compares('a date with an instant', whole(part.written(left), `:${OTHER[name]}`))
      if (!isTime(one) || (other !== 'date' && other !== 'local') || !DAYS.has(name))
        return undefined
      const isBound = placeholderOf(right) === name && sign !== '=' && !isBetween
      const expected =
        isBound && OTHER[name] !== undefined
          ? whole(part.written(left), `:${OTHER[name]}`)
          : byLocalTime(part.written(left), one, draft, local => whole(`(${local})::date`))
      return compares('an instant with a date', expected)
    },
  ),
}

function isTime(type: TimeType | undefined): type is 'instant' | 'utc' {
  return type === 'instant' || type === 'utc'
}
