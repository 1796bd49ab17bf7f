/** Rules for a file's statement: one select, with `order by` if the order is part of the result. */
import { as } from '../sql/syntax-tree.ts'
import { rootOf, type SqlRule } from './sql-rule.ts'

export const notSelect: SqlRule = ({ statements: [first] }) => {
  if (first === undefined || as(first.tree, 'SelectStmt') !== undefined) return []
  // why: an insert may begin with `with`
  const name = Object.keys(first.tree).join().replace(/Stmt$/, '')
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  return [{ offset: first.start, message: `the statement "${words}", expected a select` }]
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
