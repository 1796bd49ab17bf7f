import { bothEnds } from './period-ends.ts'
import type { Rule } from './rule.ts'

export const missingEnd: Rule = {
  id: 'missing-end',
  level: 'warning',
  sentence: 'A start of the period without an end takes in all later rows.',
  bad: 'select 1 from sales where sales.day >= :period_start',
  good: 'select 1 from sales where sales.day >= :period_start and sales.day < :period_end',
  find: bothEnds,
}
