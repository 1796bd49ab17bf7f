import { basename } from 'node:path'
import { isReservedColumn } from '../../../definitions/reserved-words.ts'
import type { TextRule } from './text-rule.ts'
import type { Rule } from './rule.ts'

const find: TextRule = ({ file, report, lineOf }) =>
  Object.entries(report?.columns ?? {}).flatMap(([name, { hidden }]) => {
    if (hidden === true || !isReservedColumn(basename(file, '.sql'), name)) return []
    const message = `columns.${name}: "${name}" is a reserved word of SQL, which loaders must quote; expected another name`
    return [{ line: lineOf(['columns', name]), message }]
  })

export const reservedWord: Rule = {
  id: 'reserved-word',
  level: 'note',
  sentence: 'A column has a reserved word of SQL as its name, which loaders must quote.',
  bad: 'order: { title: Place, type: integer, total: none }',
  good: 'place: { title: Place, type: integer, total: none }',
  find,
}
