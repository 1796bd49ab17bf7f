/** Rules for a file's statement: one select, with `order by` if the order is part of the result. */
import { as } from '../sql/syntax-tree.ts'
import { rootOf, type SqlRule } from './sql-rule.ts'

export const notSelect: SqlRule = ({ text, statements: [first] }) => {
  if (first === undefined || as(first.tree, 'SelectStmt') !== undefined) return []
  const [word = ''] = text.slice(first.start, first.end).split(/\s/, 1)
  return [{ offset: first.start, message: `begins with ${word}, expected select or with` }]
}

export const secondStatement: SqlRule = ({ statements: [, second] }) =>
  second === undefined
    ? []
    : [{ offset: second.start, message: 'a second statement, expected one in a file' }]

export const noOrder: SqlRule = sql => {
  if (as(rootOf(sql), 'SelectStmt')?.sortClause !== undefined) return []
  const message = 'no order by at the top level, expected one that ends in a unique key'
  return [{ offset: sql.statements[0]?.start ?? 0, message }]
}
