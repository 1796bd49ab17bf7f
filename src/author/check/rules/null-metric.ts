import { sumsOfNothing } from './totals.ts'
import type { Rule } from './rule.ts'

export const nullMetric: Rule = {
  id: 'null-metric',
  level: 'warning',
  sentence: 'A metric is null where no rows are, not 0.',
  bad: 'select sum(sales.amount) as taken from sales where sales.day < :period_end',
  good: 'select coalesce(sum(sales.amount), 0) as taken from sales where sales.day < :period_end',
  find: sumsOfNothing,
}
