import { otherZones } from './zones.ts'
import type { Rule } from './rule.ts'

export const literalZone: Rule = {
  id: 'literal-zone',
  level: 'warning',
  sentence: 'A literal time zone is not that of every organization.',
  bad: ", (sales.sold_at at time zone 'Asia/Omsk')::date as day",
  good: ', (sales.sold_at at time zone :time_zone)::date as day',
  find: otherZones,
}
