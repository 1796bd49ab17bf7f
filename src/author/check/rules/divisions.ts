/** The divisions of a select. */
import { nodesOf } from '../../../definitions/sql/syntax-tree.ts'
import { operatorOf } from '../../sql/expressions.ts'
import { nodes, type Scope } from './text-rule.ts'

/** With whether a `case` around them may test for 0. */
export function divisionsIn(scope: Scope) {
  const guarded = new Set(nodesOf(nodes('CaseExpr')(scope), 'A_Expr'))
  return nodes('A_Expr')(scope).flatMap(({ node }) => {
    const { lexpr: dividend, rexpr: divisor, location } = node
    if (operatorOf({ A_Expr: node }) !== '/' || !dividend || !divisor) return []
    return [{ node: location, dividend, divisor, isGuarded: guarded.has(node) }]
  })
}
