/** The rule for totals: a total must be a single expression, because the gateway selects it as one column. */
import { as, nodesOf } from '../sql/syntax-tree.ts'
import { rootOf, type SqlRule } from './sql-rule.ts'

/** Fields that every parsed select has. */
const OF_EVERY_SELECT: ReadonlySet<string> = new Set(['targetList', 'limitOption', 'op'])

export const loneExpression: SqlRule = sql => {
  const { text, tokens, statements } = sql
  // why: these would end the statement early
  const breaks = tokens.some(
    ({ kind, start, end }) => kind === 'comment' || text.slice(start, end) === ';',
  )
  if (breaks || statements.length > 1) {
    return [{ offset: 0, message: 'a comment or a semicolon, expected an aggregate alone' }]
  }
  const select = as(rootOf(sql), 'SelectStmt') ?? {}
  const [target, ...more] = select.targetList ?? []
  const { name, val } = as(target, 'ResTarget') ?? {}
  const isAlone =
    more.length === 0 &&
    name === undefined &&
    select.op === 'SETOP_NONE' &&
    Object.keys(select).every(key => OF_EVERY_SELECT.has(key)) &&
    // why: a select without columns or with `*` cannot be given a column name
    val !== undefined &&
    as(as(val, 'ColumnRef')?.fields?.at(-1), 'A_Star') === undefined &&
    !/^all\b/i.test(text.slice(tokens[0]?.start))
  if (isAlone) return []
  return [{ offset: 0, message: 'more than an aggregate, expected an aggregate alone' }]
}

/** A total aggregates the rows of its report. */
export const noSubquery: SqlRule = sql => {
  // why: the total itself is parsed as a select; `json_array(select ...)` has one that is no SubLink
  const [, inner] = nodesOf(rootOf(sql), 'SelectStmt')
  const message = 'a subquery, expected an aggregate over the rows of the report'
  return inner === undefined ? [] : [{ offset: 0, message }]
}
