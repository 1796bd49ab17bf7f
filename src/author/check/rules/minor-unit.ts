import { as } from '../../../definitions/sql/syntax-tree.ts'
import { callOf, columnOf, numberOf, operatorOf } from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'
import type { TextRule } from './text-rule.ts'
import { valuesOf } from './values.ts'

const MINOR_UNIT = /(?:^|_)(?:kopecks?|kopeks?|cents?|pence|minor)$/

const find: TextRule = draft =>
  valuesOf(draft, 'number').flatMap(({ name, expression, part }) => {
    const { lexpr, rexpr } = as(expression, 'A_Expr') ?? {}
    const column = columnOf(callOf(lexpr, ['max', 'min'])?.args[0] ?? lexpr)
    const by = numberOf(rexpr) ?? ''
    const isMinor = MINOR_UNIT.test(column?.name ?? '') && /^10{2,}$/.test(by)
    if (operatorOf(expression) !== '/' || !isMinor) return []
    const message = `${name} drops the fraction of integers, expected ${by}.0, or money in whole kopecks`
    return [{ line: part.line(expression), message }]
  })

export const minorUnit: Rule = {
  id: 'minor-unit',
  level: 'warning',
  sentence: 'An integer division of kopecks drops them.',
  bad: ', max(sales.amount_kopecks) / 100 as price',
  good: ', max(sales.amount_kopecks) / 100.0 as price',
  find,
}
