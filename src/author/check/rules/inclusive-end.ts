import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { valuesBehind } from '../origins.ts'
import { callsIn, operatorOf, placeholdersIn } from '../../sql/expressions.ts'
import { boundsOf, ENDS, isPlain, nextTo, STARTS, type Bound } from './bounds.ts'
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
      const problem = problemOf(bound, all)
      if (problem === undefined) return []
      const { spelling, placeholder, scope, node } = bound
      const message = `${spelling} :${placeholder} ${problem} :${placeholder}`
      return [{ line: scope.part.line(node), message }]
    })
  },
}

function problemOf(bound: Bound, all: readonly Bound[]): string | undefined {
  const { sign, placeholder, column, left, scope } = bound
  const next = nextTo(placeholder)
  const others = (placeholders: ReadonlySet<string>, ...signs: string[]) =>
    all.filter(
      one => one.column === column && signs.includes(one.sign) && isPlain(one, placeholders),
    )
  if (isPlain(bound, STARTS)) {
    // why: `came_at < :period_end_at and left_at > :period_start_at` selects all that overlap the period
    const isOverlap = all.some(
      one => one.scope === scope && one.column !== column && isPlain(one, ENDS),
    )
    const isSpan = others(ENDS, '<', '<=').length > 0 && !isOverlap
    if (sign === '>' && isSpan) return `leaves out the period's first ${next.slice(4)}, expected >=`
    const isBoth = sign === '<=' && others(STARTS, '>=').length > 0
    return isBoth ? "counts the period's first day on both sides, expected <" : undefined
  }
  if (!isPlain(bound, ENDS)) return undefined
  if (sign === '<=' && !isOfLoading(bound) && !isExclusive(bound))
    return `includes ${next} after the period, expected <`
  if (sign === '>' && others(ENDS, '<').length > 0)
    return `leaves ${next} after the period on neither side, expected >=`
  const written = scope.part.written(left)
  const isSwapped = others(STARTS, '<').some(
    one => one.scope === scope && scope.part.written(one.left) === written,
  )
  const isOnce = others(ENDS, '<').length + others(STARTS, '>=').length === 0
  return sign === '>=' && isSwapped && isOnce
    ? 'and before its start is never true, expected start and end the other way round:'
    : undefined
}

/** Loading reports `between` with a placeholder. */
function isOfLoading({ node, right }: Bound): boolean {
  return node.kind === 'AEXPR_BETWEEN' && placeholdersIn(right).length > 0
}

/** Whether a day is an exclusive end: `<= :period_end` is right for `month + interval '1 month'`. */
function isExclusive({ left, scope }: Bound): boolean {
  const behind = [left, ...valuesBehind(left, scope.select).map(([node]) => node)]
  return (
    nodesOf(behind, 'A_Expr').some(node => operatorOf({ A_Expr: node }) === '+') ||
    callsIn(behind, ['lead', 'upper']).length > 0 ||
    placeholdersIn(behind).some(name => ENDS.has(name))
  )
}
