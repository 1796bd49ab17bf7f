import { placeholdersIn } from '../../sql/expressions.ts'
import { endpointOf, sidesIn } from './bounds.ts'
import type { Rule } from './rule.ts'
import { columnNames, onEach } from './text-rule.ts'
import { timeType } from './time-type.ts'

const DAYS = new Set(['period_start', 'period_end', 'as_of', 'today'])
const OTHER: Readonly<Record<string, string>> = {
  period_start: ':period_start_at',
  period_end: ':period_end_at',
  period_start_at: ':period_start',
  period_end_at: ':period_end',
  now: ':today',
}

export const dateAndInstant: Rule = {
  id: 'date-and-instant',
  level: 'warning',
  sentence: 'An instant is compared with a day, which begins in the time zone of the session.',
  bad: 'and sales.sold_at < :period_end',
  good: 'and sales.sold_at < :period_end_at',
  find: onEach(
    ({ expressions }) => sidesIn(expressions).filter(({ left }) => columnNames(left).length > 0),
    ({ left, spelling, right }, { select, part }) => {
      const [one, other] = [timeType(left, select), timeType(right, select)]
      const { placeholder, by } = endpointOf(right, select) ?? {}
      const name = placeholdersIn(right).find(found => DAYS.has(found)) ?? placeholder ?? ''
      const compares = `${part.written(left)} ${spelling} :${name}`
      if (one === 'instant' && (other === 'date' || other === 'local') && DAYS.has(name)) {
        const local = `(${part.written(left)} at time zone :time_zone)::date`
        return `${compares} compares an instant with a date, expected ${OTHER[name] ?? local}`
      }
      const isDate = one === 'date' && other === 'instant' && by === undefined
      const expected = OTHER[name]
      return isDate && expected !== undefined && !DAYS.has(name)
        ? `${compares} compares a date with an instant, expected ${expected}`
        : undefined
    },
  ),
}
