import { onlyYear } from './period.ts'
import type { Rule } from './rule.ts'

export const wholeYear: Rule = {
  id: 'whole-year',
  level: 'warning',
  sentence: 'The year of a bound takes in the whole year, whatever the period is.',
  bad: 'select 1 from sales where extract(year from day) = extract(year from :period_start)',
  good: 'select 1 from sales where day >= :period_start and day < :period_end',
  find: onlyYear,
}
