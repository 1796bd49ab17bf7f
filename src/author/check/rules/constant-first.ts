import { constantsFirst } from './nulls.ts'
import type { Rule } from './rule.ts'

export const constantFirst: Rule = {
  id: 'constant-first',
  level: 'warning',
  sentence: '`coalesce` with a constant first is always the constant.',
  bad: ", coalesce('none', sales.note) as note",
  good: ", coalesce(sales.note, 'none') as note",
  find: constantsFirst,
}
