/** A rule on units: roubles have their kopecks. */
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { sourceOf } from '../../sql/columns.ts'
import { callOf, columnOf, numberOf, operatorOf } from '../../sql/expressions.ts'
import { contentOf, onValues } from './values.ts'

const MINOR_UNIT = /(?:^|_)(?:kopecks?|kopeks?|cents?|pence|minor)$/

/** `max(amount_kopecks) / 100` is an integer division: it drops the kopecks. */
export const wholeRoubles = onValues('number', ({ expression, select, part }, { statement }) => {
  const { lexpr, rexpr } = as(expression, 'A_Expr') ?? {}
  const column = callOf(lexpr, ['max', 'min'])?.args[0] ?? lexpr
  const isOfTable = sourceOf(column, select)?.relation.kind === 'table' || part !== statement
  const by = numberOf(rexpr) ?? ''
  const isMinor = MINOR_UNIT.test(columnOf(column)?.name ?? '') && /^10{2,}$/.test(by)
  if (operatorOf(expression) !== '/' || !isMinor || !isOfTable) return []
  const expected = `expected ${by}.0, or money in whole kopecks`
  return [[contentOf(expression), `drops the fraction of integers, ${expected}`]]
})
