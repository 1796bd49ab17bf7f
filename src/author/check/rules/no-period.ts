import { somePeriod } from './period.ts'
import type { Rule } from './rule.ts'

export const noPeriod: Rule = {
  id: 'no-period',
  level: 'warning',
  sentence: 'No placeholder of the period: every period has the same result.',
  bad: 'select sales.day from sales',
  good: 'select sales.day from sales where sales.day < :period_end',
  find: somePeriod,
}
