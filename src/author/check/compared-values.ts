/** Pairs of expressions that a select compares. Knows no database. */
import type { Node } from 'libpg-query'
import { as, namesOf, nodesOf } from '../../definitions/sql/syntax-tree.ts'
import { comparisonsIn, stringOf, withoutCasts } from '../sql/expressions.ts'

export interface Compared {
  readonly left: Node
  readonly right: Node
  /** `=`, `<>` for `!=`, `<`, ... or `between`. */
  readonly sign: string
}

/** Each pair in both orders, from `a = b`, `between`, `in`, `any (array[...])` and `case ... when`; subqueries excluded. */
export function comparedIn(expressions: readonly Node[]): Compared[] {
  const within = { subqueries: false }
  const pairs = comparisonsIn(expressions, within).map(({ left, sign, right }) => ({
    left,
    right,
    sign,
  }))
  const lists = nodesOf(expressions, 'A_Expr', within).flatMap(
    ({ kind = '', name, lexpr, rexpr }) => {
      if (!/IN|ANY|ALL|BETWEEN|DISTINCT/.test(kind) || lexpr === undefined) return []
      // why: an array literal such as '{sale,receipt}' is not a list of elements
      if (/ANY|ALL/.test(kind) && stringOf(withoutCasts(rexpr)) !== undefined) return []
      const sign = kind.includes('BETWEEN') ? 'between' : (namesOf(name).at(-1) ?? '')
      return elementsOf(rexpr).flatMap(right => bothWays(lexpr, right, sign))
    },
  )
  const cases = nodesOf(expressions, 'CaseExpr', within).flatMap(({ arg, args = [] }) =>
    args.flatMap(when => {
      const right = as(when, 'CaseWhen')?.expr
      return arg === undefined || right === undefined ? [] : bothWays(arg, right, '=')
    }),
  )
  return [...pairs, ...lists, ...cases]
}

function bothWays(left: Node, right: Node, sign: string): Compared[] {
  return [
    { left, right, sign },
    { left: right, right: left, sign },
  ]
}

/** The elements of a list or an array; otherwise the expression itself. */
export function elementsOf(node: Node | undefined): readonly Node[] {
  const single = node === undefined ? [] : [node]
  return as(node, 'List')?.items ?? as(withoutCasts(node), 'A_ArrayExpr')?.elements ?? single
}
