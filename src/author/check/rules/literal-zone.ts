import { as } from '../../../definitions/sql/syntax-tree.ts'
import { placeholderOf, stringOf, withoutCasts } from '../../sql/expressions.ts'
import { hasInterval } from './bounds.ts'
import { calls, onEach, type Rule } from './rule.ts'

export const literalZone: Rule = {
  sentence: 'A literal time zone is not that of every organization.',
  bad: ", (sales.sold_at at time zone 'Asia/Omsk')::date as day",
  good: ', (sales.sold_at at time zone :time_zone)::date as day',
  find: onEach(
    calls('timezone', 'date_trunc'),
    ({ name, args: [first, second, third], node }, scope) => {
      const zone = stringOf(withoutCasts(name === 'timezone' ? first : third))
      // why: a timestamp without time zone usually holds UTC
      // why: a day of UTC is not one of the organization
      const isDay = /^(?:period_(?:start|end)|as_of|today)$/.test(placeholderOf(second) ?? '')
      const isUtc = /^(?:etc\/)?(?:utc|gmt)$/i.test(zone ?? '') && !isDay
      // why: a local time of one zone becomes that of the organization
      const isMoved = calls('timezone')(scope).some(
        ({ args: [to, time] }) =>
          placeholderOf(to) === 'time_zone' && as(time, 'FuncCall') === node,
      )
      const isOne = zone !== undefined && !isUtc && !hasInterval(first) && !isMoved
      return isOne && `'${zone}' is not the time zone of every organization, expected :time_zone`
    },
  ),
}
