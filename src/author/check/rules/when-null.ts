import { neverTaken } from './nulls.ts'
import type { Rule } from './rule.ts'

export const whenNull: Rule = {
  id: 'when-null',
  level: 'error',
  sentence: '`case x when null` is never true.',
  bad: ", case sales.note when null then 'none' end as note",
  good: ", case when sales.note is null then 'none' end as note",
  find: neverTaken,
}
