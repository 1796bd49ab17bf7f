import { halfOpen } from './period.ts'
import type { Rule } from './rule.ts'

export const inclusiveEnd: Rule = {
  id: 'inclusive-end',
  level: 'warning',
  sentence:
    'A bound of the period takes in or leaves out a day: the period ends before `:period_end`.',
  bad: 'and sales.paid_on <= :period_end',
  good: 'and sales.paid_on < :period_end',
  find: halfOpen,
}
