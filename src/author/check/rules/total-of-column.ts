import { totalsOfColumns } from './columns.ts'
import type { Rule } from './rule.ts'

export const totalOfColumn: Rule = {
  id: 'total-of-column',
  level: 'error',
  sentence: 'Without a database: a total is of no column.',
  bad: 'amount: { title: Amount, type: money, total: sum(amuont) }',
  good: 'amount: { title: Amount, type: money, total: sum(amount) }',
  isForTextAlone: true,
  find: totalsOfColumns,
}
