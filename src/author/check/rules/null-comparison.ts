import { as, namesOf } from '../../../definitions/sql/syntax-tree.ts'
import { isNull, withoutCasts } from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'
import { nodes, onEach, type Scope } from './text-rule.ts'

export const nullComparison: Rule = {
  id: 'null-comparison',
  level: 'error',
  sentence: 'A comparison with null is never true; so is `case x when null`.',
  bad: 'and sales.note = null',
  good: 'and sales.note is null',
  find: onEach(
    (scope: Scope) => [
      ...nodes('A_Expr')(scope).map(({ node }) => {
        const { kind, name, lexpr, rexpr } = node
        const sign = namesOf(name).at(-1) ?? ''
        const all = kind === 'AEXPR_IN' ? (as(rexpr, 'List')?.items ?? []) : [lexpr, rexpr]
        const isTest =
          kind === 'AEXPR_OP' ? /^(?:=|<>)$/.test(sign) : kind === 'AEXPR_IN' && sign === '<>'
        return {
          node,
          all: isTest ? all : [],
          found: kind === 'AEXPR_IN' ? 'not in (..., null)' : `${sign} null`,
        }
      }),
      ...nodes('CaseWhen')(scope).map(({ node }) => ({
        node,
        all: [node.expr],
        found: 'when null',
      })),
    ],
    ({ all, found }) =>
      all.some(one => isNull(withoutCasts(one))) &&
      `${found} is never true, expected ${found === '= null' ? 'is null' : 'is null or is not null'}`,
  ),
}
