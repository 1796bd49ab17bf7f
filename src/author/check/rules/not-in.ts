import { as, namesOf, nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { columnOf, comparisonsIn } from '../../sql/expressions.ts'
import type { Select } from '../statement.ts'
import type { Rule } from './rule.ts'
import { columnNames, nodes, onEach, type Scope } from './text-rule.ts'

export const notIn: Rule = {
  id: 'not-in',
  level: 'warning',
  sentence: '`not in (select ...)` is never true if the select returns a null.',
  bad: 'and sales.id not in (select returns.sale_id from returns)',
  good: 'and not exists (select from returns where returns.sale_id = sales.id)',
  find: onEach(
    subqueriesNotIn,
    ({ of }) =>
      of !== undefined &&
      mayBeNull(of) &&
      'not in (select ...) is never true if the select returns a null, expected not exists',
  ),
}

function subqueriesNotIn(scope: Scope) {
  const negated = nodes('BoolExpr')(scope).flatMap(({ node }) => {
    const link = node.boolop === 'NOT_EXPR' ? as(node.args?.[0], 'SubLink') : undefined
    return link?.subLinkType === 'ANY_SUBLINK' ? [{ node, link }] : []
  })
  const unequal = nodes('SubLink')(scope).flatMap(({ node }) => {
    const isNotEqual = namesOf(node.operName).at(-1) === '<>'
    return node.subLinkType === 'ALL_SUBLINK' && isNotEqual ? [{ node, link: node }] : []
  })
  return [...negated, ...unequal].map(({ node, link }) => {
    const select = as(link.subselect, 'SelectStmt')
    const query = scope.select.query.inner.find(inner => inner.node === select)
    return { node, of: query?.selects[0] }
  })
}

/** By name: a column other than a key, or one of an outer join, without a condition on it. */
function mayBeNull({ items, relations, node }: Select): boolean {
  const { name, qualifier } = columnOf(items[0]?.expression) ?? {}
  if (name === undefined) return false
  const conditions = [
    node.whereClause,
    ...relations.flatMap(({ join, on }) => (join === 'inner' ? [on] : [])),
  ]
  const tested = [
    ...nodesOf(conditions, 'NullTest').map(({ arg }) => arg),
    ...nodesOf(conditions, 'A_Expr').flatMap(({ kind, lexpr }) =>
      kind === 'AEXPR_IN' ? lexpr : [],
    ),
    ...comparisonsIn(conditions).map(({ left }) => left),
  ]
  const isOptional = relations.some(
    ({ join, alias }) =>
      ['right', 'full'].includes(join) ||
      (join === 'left' && (qualifier === undefined || qualifier === alias)),
  )
  // why: `id`, or `stage_id` of `stages`
  const stem = name.endsWith('_id') ? name.slice(0, -3).replace(/y$/, '') : undefined
  const isKey =
    name === 'id' ||
    relations.some(one => stem !== undefined && one.name?.startsWith(stem) === true)
  return (isOptional || !isKey) && !columnNames(tested).includes(name)
}
