import { as, namesOf } from '../../../definitions/sql/syntax-tree.ts'
import { isNull, withoutCasts } from '../../sql/expressions.ts'
import { nodes, onEach, type Rule } from './rule.ts'
import type { Scope } from './draft.ts'

export const nullComparison: Rule = {
  level: 'error',
  sentence: 'A comparison with null is never true; so is `case x when null`.',
  bad: 'and sales.note = null',
  good: 'and sales.note is null',
  find: onEach(
    (scope: Scope) => [
      ...nodes('A_Expr')(scope).map(({ node }) => {
        const { kind = '', name, lexpr, rexpr } = node
        const sign = namesOf(name).at(-1) ?? ''
        const isTest = kind === 'AEXPR_OP' ? /^(?:=|<>)$/ : /^<>$/
        const sides = kind === 'AEXPR_OP' ? [lexpr, rexpr] : as(rexpr, 'List')?.items
        const found = kind === 'AEXPR_OP' ? `${sign} null` : 'not in (..., null)'
        const isOne = /^AEXPR_(?:OP|IN)$/.test(kind) && isTest.test(sign)
        return { node, all: isOne ? (sides ?? []) : [], found }
      }),
      ...nodes('CaseWhen')(scope).map(({ node }) => {
        return { node, all: [node.expr], found: 'when null' }
      }),
    ],
    ({ all, found }) =>
      all.some(one => isNull(withoutCasts(one))) &&
      `${found} is never true, expected ${found === '= null' ? 'is null' : 'is null or is not null'}`,
  ),
}
