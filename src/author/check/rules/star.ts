import { noStar } from './rows.ts'
import type { Rule } from './rule.ts'

export const star: Rule = {
  id: 'star',
  level: 'warning',
  sentence: 'A star takes whatever columns a table has.',
  bad: 'select * from sales where day < :period_end',
  good: 'select sales.day from sales where day < :period_end',
  find: noStar,
}
