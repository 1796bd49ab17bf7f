import { wholeDivision } from './division.ts'
import type { Rule } from './rule.ts'

export const integerDivision: Rule = {
  id: 'integer-division',
  level: 'warning',
  sentence: 'A division of integers drops the fraction.',
  bad: ', count(sales.note) / count(*) as part',
  good: ', 100.0 * count(sales.note) / count(*) as part',
  find: wholeDivision,
}
