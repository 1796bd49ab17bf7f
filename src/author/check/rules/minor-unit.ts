import { wholeRoubles } from './units.ts'
import type { Rule } from './rule.ts'

export const minorUnit: Rule = {
  id: 'minor-unit',
  level: 'warning',
  sentence: 'An integer division of kopecks drops them.',
  bad: ', max(sales.amount_kopecks) / 100 as price',
  good: ', max(sales.amount_kopecks) / 100.0 as price',
  find: wholeRoubles,
}
