import { countsAsTotals } from './totals.ts'
import type { Rule } from './rule.ts'

export const countAsTotal: Rule = {
  id: 'count-as-total',
  level: 'warning',
  sentence: 'The total of money or of a quantity is the number of rows.',
  bad: 'amount: { title: Amount, type: money, total: count(*) }',
  good: 'amount: { title: Amount, type: money, total: sum(amount) }',
  find: countsAsTotals,
}
