import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { columnOf, type ColumnReference } from '../../sql/expressions.ts'
import { everySelect, type Select } from '../statement.ts'
import type { Rule, TextRule } from './rule.ts'

/** Names of columns that mark rows as deleted. */
export const MARKS =
  /^(?:(?:deleted|voided|discarded|removed)_(?:at|on)|(?:is_)?(?:deleted|voided))$/

export const deletedRows: Rule = {
  needsCatalog: true,
  sentence: 'A table marks rows as deleted, and the statement reads them all.',
  bad: 'and sales.day < :period_end',
  good: 'and sales.day < :period_end and sales.deleted_at is null',
  find: unread(MARKS, 'a condition on it'),
}

/** Finds tables with a column of these names that the statement never mentions. Needs the catalog. */
export function unread(
  names: RegExp,
  expected: string,
  isRead: (select: Select) => boolean = () => true,
): TextRule {
  return ({ statement: { sql, line, root }, query, findTable }) => {
    const references = columnsIn(root)
    const code = sql.tokens.filter(({ kind }) => kind !== 'comment')
    const words = new Set(code.map(({ start, end }) => sql.text.slice(start, end).toLowerCase()))
    const selects = everySelect(query).filter(isRead)
    const joined = columnsIn(
      selects.map(({ node, relations }) => [node.whereClause, relations.map(({ on }) => on)]),
    )
    const read = new Map(selects.flatMap(one => one.relations.map(from => [from.name, from])))
    return [...read.values()].flatMap(relation => {
      const { columns = [], uniqueKeys = [] } = findTable?.(relation) ?? {}
      const isOwn = ({ qualifier = relation.alias }: ColumnReference) =>
        qualifier === relation.alias
      // why: a row that is looked up by its key, such as a former employee, may be deleted later
      const isLookedUp = joined.some(one => isOwn(one) && uniqueKeys.flat().includes(one.name))
      const isNamed = (name: string) =>
        words.has(name) &&
        (isLookedUp ||
          references.every(one => one.name !== name) ||
          references.some(one => one.name === name && isOwn(one)))
      const column = columns.find(({ name }) => names.test(name) && !isNamed(name))
      const message = `${relation.name} has the column ${column?.name}, which nothing reads, expected ${expected}`
      return column === undefined ? [] : [{ line: line(relation.offset), message }]
    })
  }
}

function columnsIn(root: unknown): ColumnReference[] {
  return nodesOf(root, 'ColumnRef').flatMap(ColumnRef => columnOf({ ColumnRef }) ?? [])
}
