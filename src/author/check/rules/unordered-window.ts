import { unorderedWindows } from './rows.ts'
import type { Rule } from './rule.ts'

export const unorderedWindow: Rule = {
  id: 'unordered-window',
  level: 'warning',
  sentence: 'A window, or an aggregate that makes a list, without an order.',
  bad: ', row_number() over () as place',
  good: ', row_number() over (order by sales.id) as place',
  find: unorderedWindows,
}
