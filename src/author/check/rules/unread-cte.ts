import { readCtes } from './joins.ts'
import type { Rule } from './rule.ts'

export const unreadCte: Rule = {
  id: 'unread-cte',
  level: 'note',
  sentence: 'Nothing reads a CTE.',
  bad: 'with old as (select 1 from returns) select sales.day from sales where day < :period_end',
  good: 'select sales.day from sales where day < :period_end',
  find: readCtes,
}
