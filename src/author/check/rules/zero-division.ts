import { zeroDivision as find } from './division.ts'
import type { Rule } from './rule.ts'

export const zeroDivision: Rule = {
  id: 'zero-division',
  level: 'warning',
  sentence: 'A divisor may be 0.',
  bad: ', sum(sales.amount) / sum(sales.cost) as part',
  good: ', sum(sales.amount) / nullif(sum(sales.cost), 0) as part',
  find,
}
