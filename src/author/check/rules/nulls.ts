/** Rules on null: conditions that are never true, and expressions that are never evaluated. */
import type { Node } from 'libpg-query'
import { as, namesOf } from '../../../definitions/sql/syntax-tree.ts'
import { sourceOf } from '../../sql/columns.ts'
import {
  columnOf,
  comparisonsIn,
  conjunctsOf,
  isNull,
  withoutCasts,
} from '../../sql/expressions.ts'
import type { Select } from '../../sql/relations.ts'
import { isKeyOf } from '../../sql/row-counts.ts'
import { nodes, onEach, type Scope } from './text-rule.ts'

/** `= null` and `not in (1, null)` are never true. */
export const nullTests = onEach(nodes('A_Expr'), ({ node: { kind, name, lexpr, rexpr } }) => {
  const sign = namesOf(name).at(-1) ?? ''
  if (kind === 'AEXPR_IN' && sign === '<>' && hasNull(as(rexpr, 'List')?.items)) {
    return 'not in (..., null) is never true, expected is not null as a condition of its own'
  }
  const expected = { '=': 'is null', '<>': 'is not null' }[sign]
  const isTest = kind === 'AEXPR_OP' && hasNull([lexpr, rexpr])
  return isTest && expected && `${sign} null is never true, expected ${expected}`
})

function hasNull(nodes: readonly (Node | undefined)[] = []): boolean {
  return nodes.some(node => isNull(withoutCasts(node)))
}

/** `not in (select ...)` is never true if the select returns a null. */
export const notIn = onEach(
  subqueriesNotIn,
  ({ of }) =>
    of !== undefined &&
    mayBeNull(of) &&
    'not in (select ...) is never true if the select returns a null, expected not exists',
)

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

/** By name: a column other than the table's `id` or `stage_id`, or one of an outer join, without a condition on it. */
function mayBeNull(select: Select): boolean {
  const { items, relations, node } = select
  const expression = items[0]?.expression
  const column = columnOf(expression)
  if (expression === undefined || column === undefined) return false
  const isSame = (other: Node | undefined) => columnOf(other)?.name === column.name
  const conditions = [
    node.whereClause,
    ...relations.flatMap(({ join, on }) => (join === 'inner' ? [on] : [])),
  ]
  const isCompared = conditions.flatMap(conjunctsOf).some(condition => {
    const test = as(condition, 'NullTest')
    if (test?.nulltesttype === 'IS_NOT_NULL') return isSame(test.arg)
    const whole = as(condition, 'A_Expr')
    const isListed = whole?.kind === 'AEXPR_IN' && isSame(whole.lexpr)
    return isListed || comparisonsIn(condition).some(one => one.node === whole && isSame(one.left))
  })
  const own = sourceOf(expression, select)?.relation
  const isOptional = relations.some(
    ({ join }) => join === 'right' || join === 'full' || (own?.join ?? join) === 'left',
  )
  return !isCompared && (isOptional || !isKeyOf(expression, select))
}

/** `case x when null` is never true. */
export const neverTaken = onEach(
  nodes('CaseWhen'),
  ({ node }) => isNull(node.expr) && 'when null is never true, expected case when ... is null',
)

/** After a constant, `coalesce` evaluates no argument. */
export const constantsFirst = onEach(nodes('CoalesceExpr'), ({ node: { args = [] } }, { part }) => {
  const constant = withoutCasts(args[0])
  if (args.length < 2 || as(constant, 'A_Const') === undefined || isNull(constant)) return undefined
  const first = part.written(args[0])
  return `coalesce(${first}, ...) is always ${first}, expected the constant last`
})
