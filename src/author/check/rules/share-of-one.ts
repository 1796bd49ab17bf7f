import { percents } from './percents.ts'
import type { Rule } from './rule.ts'

export const shareOfOne: Rule = {
  id: 'share-of-one',
  level: 'warning',
  sentence: 'A percent is a share of 1: 12.5 stands for 12.5 %.',
  bad: ', sum(sales.amount)::numeric / nullif(sum(sales.cost), 0) as share',
  good: ', 100.0 * sum(sales.amount) / nullif(sum(sales.cost), 0) as share',
  find: percents,
}
