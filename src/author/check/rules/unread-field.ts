import { unusedFields } from './front-matter.ts'
import type { Rule } from './rule.ts'

export const unreadField: Rule = {
  id: 'unread-field',
  level: 'note',
  sentence: 'Nothing reads a fact or a hidden column.',
  bad: 'pieces: { title: Pieces, type: integer, hidden: true }',
  good: 'pieces: { title: Pieces, type: integer, total: none }',
  find: unusedFields,
}
