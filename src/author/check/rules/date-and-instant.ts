import { callOf, placeholderOf, placeholdersIn } from '../../sql/expressions.ts'
import { endpointOf } from './bounds.ts'
import { columnNames, comparisons, onEach, type Rule } from './rule.ts'
import { byLocalTime, DAYS, OTHER, timeType, type TimeType } from './time-type.ts'

export const dateAndInstant: Rule = {
  sentence: 'An instant is compared with a day, which begins in the time zone of the session.',
  bad: 'and sales.sold_at < :period_end',
  good: 'and sales.sold_at < :period_end_at',
  find: onEach(
    scope => comparisons(scope).filter(({ left }) => columnNames(left).length > 0),
    ({ left, sign, right, node }, { select, part, draft }) => {
      const [one, other] = [left, right].map(side => timeType(side, select, draft))
      const name =
        placeholdersIn(right).find(found => OTHER[found]) ??
        endpointOf(right, select)?.placeholder ??
        ''
      const isAlone = placeholderOf(right) === name && node.kind !== 'AEXPR_BETWEEN'
      const written = part.written(left)
      const whole = (side = written, end = part.written(right)) =>
        node.kind === 'AEXPR_BETWEEN'
          ? part.written({ A_Expr: node }).replace(written, () => side)
          : `${side} ${sign} ${end}`
      const compares = (what: string, expected: string) =>
        `${whole()} compares ${what}, expected ${expected}`
      const [zone, time] = callOf(left, ['timezone'])?.args ?? []
      const isLocal = placeholderOf(zone) === 'time_zone' && isTime(timeType(time, select, draft))
      if (isLocal && other === 'instant')
        return compares('a local time with an instant', whole(part.written(time)))
      const byPlaceholder = isAlone ? OTHER[name] : undefined
      if (one === 'date' && other === 'instant' && byPlaceholder !== undefined)
        return compares('a date with an instant', whole(written, `:${byPlaceholder}`))
      if (!isTime(one) || (other !== 'date' && other !== 'local') || !DAYS.has(name))
        return undefined
      const expected =
        byPlaceholder !== undefined && sign !== '='
          ? whole(written, `:${byPlaceholder}`)
          : byLocalTime(written, one, draft, local => whole(`(${local})::date`))
      return compares('an instant with a date', expected)
    },
  ),
}

function isTime(type: TimeType | undefined): type is 'instant' | 'utc' {
  return type === 'instant' || type === 'utc'
}
