import { reservedColumns } from './front-matter.ts'
import type { Rule } from './rule.ts'

export const reservedWord: Rule = {
  id: 'reserved-word',
  level: 'note',
  sentence: 'A column has a reserved word of SQL as its name, which loaders must quote.',
  bad: 'order: { title: Place, type: integer, total: none }',
  good: 'place: { title: Place, type: integer, total: none }',
  find: reservedColumns,
}
