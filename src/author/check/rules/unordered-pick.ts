import { picked } from './rows.ts'
import type { Rule } from './rule.ts'

export const unorderedPick: Rule = {
  id: 'unordered-pick',
  level: 'warning',
  sentence: '`limit` or `distinct on` without an order takes rows by chance.',
  bad: ', (select notes.text from notes limit 1) as note',
  good: ', (select notes.text from notes order by notes.id limit 1) as note',
  find: picked,
}
