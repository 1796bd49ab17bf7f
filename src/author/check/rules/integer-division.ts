import type { Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { originOf } from '../origins.ts'
import { callOf, numberOf, operatorOf, typeOf } from '../../sql/expressions.ts'
import type { Select } from '../statement.ts'
import type { Rule } from './rule.ts'
import { divisions, onEach } from './text-rule.ts'

export const integerDivision: Rule = {
  id: 'integer-division',
  level: 'warning',
  sentence: 'A division of integers drops the fraction.',
  bad: ', count(sales.note) / count(*) as part',
  good: ', 100.0 * count(sales.note) / count(*) as part',
  find: onEach(
    divisions,
    ({ dividend, divisor }, { select, part }) =>
      numberOf(divisor) === undefined &&
      isInteger(dividend, select) &&
      isInteger(divisor, select) &&
      `${part.written(dividend)} / ${part.written(divisor)} drops the fraction of integers, expected 100.0 or a cast to numeric`,
  ),
}

/** Counts, casts to integers, and what is computed from them and from whole numbers. */
function isInteger(node: Node | undefined, select: Select): boolean {
  if (node === undefined) return false
  if (numberOf(node) !== undefined) return !numberOf(node)!.includes('.')
  const cast = as(node, 'TypeCast')
  if (cast !== undefined) return /^int\d$/.test(typeOf(cast.typeName))
  if (callOf(node, ['count', 'row_number', 'rank']) !== undefined) return true
  const { kind, lexpr, rexpr } = as(node, 'A_Expr') ?? {}
  if (kind === 'AEXPR_NULLIF') return isInteger(lexpr, select)
  if (operatorOf(node) !== undefined) return isInteger(lexpr, select) && isInteger(rexpr, select)
  const { args } =
    as(node, 'CoalesceExpr') ?? as(node, 'MinMaxExpr') ?? callOf(node, ['min', 'max']) ?? {}
  if (args !== undefined) return args.every(one => isInteger(one, select))
  const [origin, within] = originOf(node, select)
  return origin !== node && isInteger(origin, within)
}
