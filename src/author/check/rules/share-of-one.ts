import type { Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { contributorsOf, origins } from '../origins.ts'
import {
  callOf,
  comparisonsIn,
  constantOf,
  contributing,
  multiplies,
  operatorOf,
  resultsOf,
  withoutRounding,
} from '../../sql/expressions.ts'
import type { Select } from '../statement.ts'
import type { Rule } from './rule.ts'
import { columnNames, type TextRule } from './text-rule.ts'
import { valuesOf } from './values.ts'

const find: TextRule = draft =>
  valuesOf(draft, 'percent').flatMap(({ name, expression, select, part }) => {
    const shares = origins(expression, select, withoutRounding)
    if (!shares.some(share => isShare(...share))) return []
    const message = `${name} is a share of 1, expected percent: 100.0 * ... / ...`
    return [{ line: part.line(expression), message }]
  })

export const shareOfOne: Rule = {
  id: 'share-of-one',
  level: 'warning',
  sentence: 'A percent is a share of 1: 12.5 stands for 12.5 %.',
  bad: ', sum(sales.amount)::numeric / nullif(sum(sales.cost), 0) as share',
  good: ', 100.0 * sum(sales.amount) / nullif(sum(sales.cost), 0) as share',
  find,
}

const PERCENT_NAME = /(?:^|_)(?:percents?|pct|rates?|ratios?|shares?|margins?|points?)(?:_|$)/

/** A quotient, or an average of 0 and 1, without a factor of 100 anywhere in it. */
function isShare(expression: Node, select: Select): boolean {
  const whole = withoutRounding(expression) ?? expression
  const { lexpr, rexpr } = as(whole, 'A_Expr') ?? {}
  const [average] = callOf(whole, ['avg'])?.args ?? []
  const isOfOnes =
    resultsOf(average).some(one => constantOf(one) === 1) ||
    comparisonsIn(as(average, 'TypeCast')?.arg).length > 0
  const operator = operatorOf(whole)
  // why: a constant that is no scale leaves a share what it is
  const inner = constantOf(lexpr) === undefined ? lexpr : rexpr
  const isSum = ['*', '+', '-'].includes(operator ?? '') && !(lexpr && multiplies(whole))
  const isOfConstant = [lexpr, rexpr].some(one => Math.abs(constantOf(one) ?? 0.5) <= 1)
  if (isSum && isOfConstant && inner !== undefined && constantOf(lexpr) !== constantOf(rexpr))
    return isShare(inner, select)
  const isQuotient = operator === '/' && constantOf(rexpr) === undefined
  if (!isQuotient && !isOfOnes) return false
  const all = contributorsOf(whole, select).map(([node]) => node)
  const constants = all.flatMap(node => contributing(node, 'A_Const'))
  const isScaled = constants.some(A_Const => {
    const number = constantOf({ A_Const }) ?? 1
    return number >= 100 || (number > 0 && number <= 0.01)
  })
  const isWeighted = lexpr !== undefined && multiplies(lexpr)
  return !isScaled && !isWeighted && !columnNames(all).some(name => PERCENT_NAME.test(name))
}
