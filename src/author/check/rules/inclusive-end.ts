import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { behind } from '../origins.ts'
import { callsIn, operatorOf, placeholdersIn } from '../../sql/expressions.ts'
import { boundsOf, ENDS, isPlain, STARTS, type Bound } from './bounds.ts'
import type { Rule } from './rule.ts'

export const inclusiveEnd: Rule = {
  id: 'inclusive-end',
  level: 'warning',
  sentence: 'A bound takes in or leaves out a day: the period ends before `:period_end`.',
  bad: 'and sales.paid_on <= :period_end',
  good: 'and sales.paid_on < :period_end',
  find: draft => {
    const all = boundsOf(draft)
    return all.flatMap(bound => {
      const { sign, placeholder, scope, node } = bound
      const day = placeholder.endsWith('_at') ? 'moment' : 'day'
      const ends = all.filter(one => one.sign === '<' && isPlain(one, ENDS))
      const hasEnd = ends.some(one => one.column === bound.column)
      // why: `came_at < :period_end_at and left_at > :period_start_at` selects all that overlap the period
      const isOverlap = ends.some(
        one => one.column !== bound.column && one.scope.select === scope.select,
      )
      const problem =
        sign === '<=' && isPlain(bound, ENDS) && !isExclusive(bound)
          ? `includes the ${day} after the period, expected <`
          : sign === '>' && isPlain(bound, STARTS) && hasEnd && !isOverlap
            ? `leaves out the period's first ${day}, expected >=`
            : sign === '>' && isPlain(bound, ENDS) && hasEnd
              ? `leaves the ${day} after the period on neither side, expected >=`
              : undefined
      if (problem === undefined) return []
      const message = `${sign} :${placeholder} ${problem} :${placeholder}`
      return [{ line: scope.part.line(node), message }]
    })
  },
}

/** Whether a day is an exclusive end: `<= :period_end` is right for `month + interval '1 month'`. */
function isExclusive({ left, scope: { select }, node }: Bound): boolean {
  const all = [
    left,
    ...nodesOf(left, 'ColumnRef').map(ColumnRef => behind({ ColumnRef }, select)?.[0]),
  ]
  const isMoved = nodesOf(all, 'A_Expr').some(one => operatorOf({ A_Expr: one }) === '+')
  // why: loading reports `between` with a placeholder
  const isOfLoading = node.kind === 'AEXPR_BETWEEN' && placeholdersIn(node.rexpr).length > 0
  return isMoved || callsIn(all, ['lead', 'upper']).length > 0 || isOfLoading
}
