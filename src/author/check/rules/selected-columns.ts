import { selectedColumns as find } from './columns.ts'
import type { Rule } from './rule.ts'

export const selectedColumns: Rule = {
  id: 'selected-columns',
  level: 'error',
  sentence:
    'Without a database: a column is declared and not selected, or selected and not declared.',
  bad: 'select sales.shop, sales.amount, sales.pieces from sales where day < :period_end',
  good: 'select sales.shop, sales.amount, sales.share, sales.pieces, sales.price from sales where day < :period_end',
  isForTextAlone: true,
  find,
}
