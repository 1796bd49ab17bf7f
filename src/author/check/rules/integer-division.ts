import type { Node } from 'libpg-query'
import { as } from '../../../definitions/sql/syntax-tree.ts'
import { tableColumn } from '../column-types.ts'
import { originOf } from '../origins.ts'
import { callOf, numberOf, operatorOf, typeOf } from '../../sql/expressions.ts'
import { divisions, onEach, type Rule } from './rule.ts'
import type { Scope } from './draft.ts'

export const integerDivision: Rule = {
  sentence: 'A division of integers drops the fraction.',
  bad: ', count(sales.note) / count(*) as part',
  good: ', 100.0 * count(sales.note) / count(*) as part',
  find: onEach(
    divisions,
    ({ dividend, divisor }, scope) =>
      // why: other numbers are meant, 100 makes roubles of kopecks
      [undefined, '100'].includes(numberOf(divisor)) &&
      bytesOf(scope, dividend, divisor) > 0 &&
      `${scope.part.written(dividend)} / ${scope.part.written(divisor)} drops the fraction of integers, expected 1.0 * in front of it, 100.0 for 100, or a cast to numeric`,
  ),
}

const BYTES: Readonly<Record<string, number>> = { int2: 4, int4: 4, integer: 4, int8: 8, bigint: 8 }

/** Of integers: counts, casts, columns by the catalog, and what is computed of them; 0 if one is no integer. */
function bytesOf(
  scope: Pick<Scope, 'select' | 'draft'>,
  ...nodes: ReadonlyArray<Node | undefined>
): number {
  const all = nodes.map(node => {
    const number = numberOf(node)
    if (node === undefined || number !== undefined) return number?.includes('.') === false ? 4 : 0
    const cast = as(node, 'TypeCast')
    if (cast !== undefined) return BYTES[typeOf(cast.typeName)] ?? 0
    if (callOf(node, ['count', 'row_number', 'rank']) !== undefined) return 8
    const summed = callOf(node, ['sum'])
    // why: PostgreSQL's sum of bigint is numeric
    if (summed !== undefined) return bytesOf(scope, ...summed.args) === 4 ? 8 : 0
    const { kind, lexpr, rexpr } = as(node, 'A_Expr') ?? {}
    if (kind === 'AEXPR_NULLIF') return bytesOf(scope, lexpr)
    if (operatorOf(node) !== undefined) return bytesOf(scope, lexpr, rexpr)
    const { args: arms = [], defresult } = as(node, 'CaseExpr') ?? {}
    const results = [...arms.map(arm => as(arm, 'CaseWhen')?.result), defresult]
    const chosen =
      as(node, 'CoalesceExpr') ?? as(node, 'MinMaxExpr') ?? callOf(node, ['min', 'max'])
    if (chosen ?? defresult) return bytesOf(scope, ...(chosen?.args ?? results))
    const [origin, select] = originOf(node, scope.select)
    if (origin !== node) return bytesOf({ ...scope, select }, origin)
    return BYTES[tableColumn(node, select, scope.draft.findTable)?.column.type ?? ''] ?? 0
  })
  return all.includes(0) ? 0 : Math.max(...all)
}
