import { localDays } from './instants.ts'
import type { Rule } from './rule.ts'

export const sessionDay: Rule = {
  id: 'session-day',
  level: 'warning',
  sentence:
    'A day or an instant is taken in the time zone of the session, not in that of the organization.',
  bad: ', sales.sold_at::date as day',
  good: ', (sales.sold_at at time zone :time_zone)::date as day',
  find: localDays,
}
