import { titles } from './front-matter.ts'
import type { Rule } from './rule.ts'

export const sameTitle: Rule = {
  id: 'same-title',
  level: 'warning',
  sentence: 'Two columns, or two reports, have one title.',
  bad: 'pieces: { title: Amount, type: integer, total: none }',
  good: 'pieces: { title: Pieces, type: integer, total: none }',
  find: titles,
}
