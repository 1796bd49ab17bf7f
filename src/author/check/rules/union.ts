import { unionAll } from './rows.ts'
import type { Rule } from './rule.ts'

export const unionRule: Rule = {
  id: 'union',
  level: 'warning',
  sentence: '`union` drops equal rows, whose amounts are added up later.',
  bad: 'select sum(x.amount) from (select s.amount from sales as s where s.day < :period_end union select r.amount from returns as r) as x',
  good: 'select sum(x.amount) from (select s.amount from sales as s where s.day < :period_end union all select r.amount from returns as r) as x',
  find: unionAll,
}
