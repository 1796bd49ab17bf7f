import { uncut } from './rows.ts'
import type { Rule } from './rule.ts'

export const limit: Rule = {
  id: 'limit',
  level: 'warning',
  sentence: '`limit` around the whole statement drops rows silently.',
  bad: 'order by sales.day limit 10',
  good: 'order by sales.day',
  find: uncut,
}
