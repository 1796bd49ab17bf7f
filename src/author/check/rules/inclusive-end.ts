import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { behind } from '../origins.ts'
import { callsIn, operatorOf, placeholdersIn } from '../../sql/expressions.ts'
import { boundsIn, boundsOf, ENDS, isPlain, STARTS, type Bound } from './bounds.ts'
import { onEach, type Rule } from './rule.ts'

export const inclusiveEnd: Rule = {
  sentence: 'A bound takes in or leaves out a day: the period ends before `:period_end`.',
  bad: 'and sales.paid_on <= :period_end',
  good: 'and sales.paid_on < :period_end',
  find: onEach(boundsIn, (bound, { draft, select }) => {
    const { sign, placeholder, column } = bound
    const day = placeholder.endsWith('_at') ? 'moment' : 'day'
    const says = (what: string, expected: string) =>
      `${sign} :${placeholder} ${what}, expected ${expected} :${placeholder}`
    if (sign === '<=' && isPlain(bound, ENDS) && !isExclusive(bound))
      return says(`includes the ${day} after the period`, '<')
    const ends = boundsOf(draft).filter(one => one.sign === '<' && isPlain(one, ENDS))
    if (sign !== '>' || !ends.some(one => one.column === column)) return undefined
    if (isPlain(bound, ENDS))
      return says(`leaves the ${day} after the period on neither side`, '>=')
    // why: `came_at < :period_end_at and left_at > :period_start_at` selects all that overlap the period
    const isOverlap = ends.some(one => one.column !== column && one.scope.select === select)
    return (
      isPlain(bound, STARTS) && !isOverlap && says(`leaves out the period's first ${day}`, '>=')
    )
  }),
}

/** Whether a day is an exclusive end: `<= :period_end` is right for `month + interval '1 month'`. */
function isExclusive({ left, scope: { select }, node }: Bound): boolean {
  const read = nodesOf(left, 'ColumnRef').map(ColumnRef => behind({ ColumnRef }, select)?.[0])
  const isMoved = nodesOf([left, read], 'A_Expr').some(one => operatorOf({ A_Expr: one }) === '+')
  // why: loading reports `between` with a placeholder
  const isOfLoading = node.kind === 'AEXPR_BETWEEN' && placeholdersIn(node.rexpr).length > 0
  return isMoved || callsIn([left, read], ['lead', 'upper']).length > 0 || isOfLoading
}
