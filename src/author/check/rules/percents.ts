/** The rule on percents: 12.5 stands for 12.5 %. */
import type { Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { contributorsOf, makersBehind, reachableFrom, type ScopedNode } from '../../sql/columns.ts'
import {
  callOf,
  columnOf,
  comparisonsIn,
  constantOf,
  contributing,
  multiplies,
  operatorOf,
  resultsOf,
  withoutCasts,
  withoutRounding,
} from '../../sql/expressions.ts'
import type { Select } from '../../sql/relations.ts'
import { choicesOf } from './choices.ts'
import { contentOf, namesOfType, onValues } from './values.ts'

/** A share needs a factor of 100. Only plain quotients of counts and sums are checked: others may be scaled. */
export const percents = onValues('percent', ({ expression, select }, draft) => {
  const names = new Set(namesOfType(draft, 'percent'))
  const quotients = quotientsOf(expression, select)
  const areShares = quotients.every(quotient => isShare(quotient, names))
  return quotients
    .slice(0, areShares ? 1 : 0)
    .map(({ whole }) => [contentOf(whole), 'is a share of 1, expected percent: 100.0 * ... / ...'])
})

/** `a` and `b` of `round(1.0 * a / b, 1)`. */
interface Quotient {
  readonly whole: Node
  readonly dividend: Node
  /** Undefined for an average of 0 and 1. */
  readonly divisor: Node | undefined
  readonly select: Select
}

/** The quotients whose value the expression takes; empty if another operation may scale them. */
function quotientsOf(expression: Node, select: Select): Quotient[] {
  return reachableFrom([expression, select], unscaledParts).flatMap(
    ([whole, within]) => quotientOf(whole, within) ?? [],
  )
}

function quotientOf(whole: Node, select: Select): Quotient | undefined {
  const inner = withoutRounding(whole) ?? whole
  const [average] = callOf(inner, ['avg'])?.args ?? []
  if (average !== undefined && isZeroOrOne(average))
    return { whole, dividend: average, divisor: undefined, select }
  const { lexpr: dividend, rexpr: divisor } = as(inner, 'A_Expr') ?? {}
  if (operatorOf(inner) !== '/' || dividend === undefined || divisor === undefined) return undefined
  const isPlain =
    constantOf(divisor) === undefined &&
    operatorOf(withoutRounding(dividend)) !== '/' &&
    !multiplies(divisor)
  return isPlain ? { whole, dividend, divisor, select } : undefined
}

/** The expressions whose value an expression takes, or takes with a constant that does not scale it. */
function unscaledParts(whole: Node, select: Select): readonly ScopedNode[] {
  const inner = withoutRounding(whole) ?? whole
  const { lexpr, rexpr } = as(inner, 'A_Expr') ?? {}
  const [left, right] = [constantOf(lexpr), constantOf(rexpr)]
  const constant = left ?? right
  const other = left === undefined ? lexpr : rexpr
  const operator = operatorOf(inner) ?? ''
  if (other === undefined || !['*', '+', '-'].includes(operator)) return choicesOf(inner, select)
  const isUnscaled =
    constant !== undefined && (operator === '*' ? !isScale(constant) : Math.abs(constant) <= 1)
  return isUnscaled ? [[other, select]] : []
}

const PERCENT_NAME = /(?:^|_)(?:percents?|pct|rates?|ratios?|shares?|margins?|points?)(?:_|$)/
const AMOUNT_NAME = /_(?:amount|kopecks?|cents?|count|sum)$/

function isShare({ dividend, divisor, select }: Quotient, percentNames: ReadonlySet<string>) {
  const dividends = contributorsOf(dividend, select)
  const divisors = divisor === undefined ? [] : contributorsOf(divisor, select)
  const all = [...dividends, ...divisors]
  const isScaled = all.some(([node]) =>
    contributing(node, 'A_Const').some(A_Const => isScale(constantOf({ A_Const }) ?? 0)),
  )
  const [isAbove, isBelow] = [dividends, divisors].map(all =>
    all.some(([node]) => multiplies(node)),
  )
  const ofPercents = all.some(([node, inner]) =>
    contributing(node, 'ColumnRef').some(ColumnRef => {
      const name = columnOf({ ColumnRef })?.name ?? ''
      const isPercent = PERCENT_NAME.test(name) && !AMOUNT_NAME.test(name)
      const isLeaf = makersBehind({ ColumnRef }, inner).length === 0
      return percentNames.has(name) || (isPercent && isLeaf)
    }),
  )
  return !isScaled && !(isAbove && !isBelow) && !ofPercents
}

/** `case when ... then 1 else 0 end`, `(...)::int` */
function isZeroOrOne(node: Node): boolean {
  const inner = withoutCasts(node) ?? node
  const results = resultsOf(inner)
  if (results.length > 0) return results.every(one => [0, 1].includes(constantOf(one) ?? 2))
  const isCondition = 'BoolExpr' in inner || 'NullTest' in inner || comparisonsIn(inner).length > 0
  return inner !== node && isCondition
}

/** 100, 1000, 0.01 */
function isScale(number: number): boolean {
  return number >= 100 || (number > 0 && number <= 0.01)
}
