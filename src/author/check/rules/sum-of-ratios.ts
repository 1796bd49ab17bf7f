import { sumsOfRatios } from './totals.ts'
import type { Rule } from './rule.ts'

export const sumOfRatios: Rule = {
  id: 'sum-of-ratios',
  level: 'warning',
  sentence: 'Averages, ranks or running totals are added up.',
  bad: ', avg(sales.amount) as amount',
  good: ', sum(sales.amount) as amount',
  find: sumsOfRatios,
}
