import { everySelect, type Select } from '../statement.ts'
import type { Rule, TextRule } from './rule.ts'

export const deletedRows: Rule = {
  needsCatalog: true,
  sentence: 'A table marks rows as deleted, and the statement reads them all.',
  bad: 'and sales.day < :period_end',
  good: 'and sales.day < :period_end and sales.deleted_at is null',
  find: unread(
    /^(?:(?:deleted|voided|discarded|removed)_(?:at|on)|(?:is_)?(?:deleted|voided))$/,
    'a condition on it',
  ),
}

/** Finds tables with a column of these names that the statement never mentions. Needs the catalog. */
export function unread(
  names: RegExp,
  expected: string,
  isRead: (select: Select) => boolean = () => true,
): TextRule {
  return ({ statement: { sql, line }, query, findTable }) => {
    const code = sql.tokens.filter(({ kind }) => kind !== 'comment')
    const words = new Set(code.map(({ start, end }) => sql.text.slice(start, end).toLowerCase()))
    const selects = everySelect(query).filter(isRead)
    const read = new Map(selects.flatMap(one => one.relations.map(from => [from.name, from])))
    return [...read.values()].flatMap(relation => {
      const columns = findTable?.(relation)?.columns ?? []
      const column = columns.find(({ name }) => names.test(name) && !words.has(name))
      const message = `${relation.name} has the column ${column?.name}, which nothing reads, expected ${expected}`
      return column === undefined ? [] : [{ line: line(relation.offset), message }]
    })
  }
}
