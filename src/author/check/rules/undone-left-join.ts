import { leftJoins } from './joins.ts'
import type { Rule } from './rule.ts'

export const undoneLeftJoin: Rule = {
  id: 'undone-left-join',
  level: 'warning',
  sentence: 'A condition in `where` removes the rows that `left join` adds.',
  bad: 'select sales.day from sales left join notes on notes.sale_id = sales.id where notes.kind = 1 and sales.day < :period_end',
  good: 'select sales.day from sales left join notes on notes.sale_id = sales.id and notes.kind = 1 where sales.day < :period_end',
  find: leftJoins,
}
