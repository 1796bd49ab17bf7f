import { notIn as find } from './nulls.ts'
import type { Rule } from './rule.ts'

export const notIn: Rule = {
  id: 'not-in',
  level: 'warning',
  sentence: '`not in (select ...)` is never true if the select returns a null.',
  bad: 'and sales.id not in (select returns.sale_id from returns)',
  good: 'and not exists (select from returns where returns.sale_id = sales.id)',
  find,
}
