import type { Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { valuesBehind } from '../origins.ts'
import {
  alternativesOf,
  callOf,
  numberOf,
  operatorOf,
  resultsOf,
  typeOf,
} from '../../sql/expressions.ts'
import type { Select } from '../statement.ts'
import { divisionsIn } from './divisions.ts'
import type { Rule } from './rule.ts'
import { onEach } from './text-rule.ts'

export const integerDivision: Rule = {
  id: 'integer-division',
  level: 'warning',
  sentence: 'A division of integers drops the fraction.',
  bad: ', count(sales.note) / count(*) as part',
  good: ', 100.0 * count(sales.note) / count(*) as part',
  find: onEach(
    divisionsIn,
    ({ dividend, divisor }, { select, part }) =>
      numberOf(divisor) === undefined &&
      [dividend, divisor].every(side => isInteger(side, select)) &&
      `${part.written(dividend)} / ${part.written(divisor)} drops the fraction of integers, expected 100.0 or a cast to numeric`,
  ),
}

const COUNTS = ['count', 'row_number', 'rank', 'dense_rank', 'ntile']

/** Without column types, only counts, casts and literals are known integers. */
function isInteger(node: Node | undefined, select: Select): boolean {
  if (node === undefined) return false
  const number = numberOf(node)
  if (number !== undefined) return /^-?\d+$/.test(number)
  const { lexpr, rexpr } = as(node, 'A_Expr') ?? {}
  if (['+', '-', '*', '/'].includes(operatorOf(node) ?? ''))
    return isInteger(lexpr, select) && isInteger(rexpr, select)
  const cast = as(node, 'TypeCast')
  if (cast !== undefined) {
    const isOfRows = callOf(cast.arg, [...COUNTS, 'sum', 'round']) !== undefined
    return /^int\d$/.test(typeOf(cast.typeName)) && (isOfRows || isInteger(cast.arg, select))
  }
  if (callOf(node, COUNTS) !== undefined) return true
  // why: sum(bigint) is numeric; only a `case` of literals shows which sum it is
  const results = resultsOf(callOf(node, ['sum'])?.args[0])
  const alternatives = results.length > 0 ? results : alternativesOf(node)
  const [behind] = valuesBehind(node, select)
  if (behind !== undefined) return isInteger(...behind)
  return alternatives.length > 0 && alternatives.every(one => isInteger(one, select))
}
