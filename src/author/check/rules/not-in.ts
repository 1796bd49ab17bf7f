import { as, namesOf, nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { columnOf } from '../../sql/expressions.ts'
import type { Select } from '../statement.ts'
import { nodes, onEach, type Rule } from './rule.ts'

export const notIn: Rule = {
  sentence: '`not in (select ...)` is never true if the select returns a null.',
  bad: 'and sales.id not in (select returns.sale_id from returns)',
  good: 'and not exists (select from returns where returns.sale_id = sales.id)',
  find: onEach(nodes('BoolExpr'), ({ node }, { select }) => {
    const link = node.boolop === 'NOT_EXPR' ? as(node.args?.[0], 'SubLink') : undefined
    const inner = as(link?.subselect, 'SelectStmt')
    const of = select.query.inner.find(one => one.node === inner)?.selects[0]
    return (
      link?.subLinkType === 'ANY_SUBLINK' &&
      of !== undefined &&
      mayBeNull(of) &&
      'not in (select ...) is never true if the select returns a null, expected not exists'
    )
  }),
}

/** A column other than `id`, or one of an outer join, that no condition tests. */
function mayBeNull({ items, relations, node }: Select): boolean {
  const column = columnOf(items[0]?.expression)
  const inner = relations.map(({ join, on }) => (join === 'inner' ? on : undefined))
  const tested = nodesOf([node.whereClause, inner], 'ColumnRef').map(({ fields }) =>
    namesOf(fields).at(-1),
  )
  const own = relations.filter(({ alias }) => alias === (column?.qualifier ?? alias))
  const isOptional = own.some(({ join }) => join === 'left' || join === 'full')
  // why: `id`, or `stage_id` of `stages`
  const stem = column?.name.replace(/y?_id$/, '') ?? ''
  const isOfTable = stem !== column?.name && own.some(({ name = '' }) => name.startsWith(stem))
  const isKey = (column?.name === 'id' || isOfTable) && !isOptional
  return column !== undefined && !isKey && !tested.includes(column.name)
}
