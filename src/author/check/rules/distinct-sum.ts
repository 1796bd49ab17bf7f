import { distinctSums } from './totals.ts'
import type { Rule } from './rule.ts'

export const distinctSum: Rule = {
  id: 'distinct-sum',
  level: 'warning',
  sentence: '`sum(distinct ...)` drops amounts that are equal.',
  bad: ', sum(distinct sales.amount) as amount',
  good: ', sum(sales.amount) as amount',
  find: distinctSums,
}
