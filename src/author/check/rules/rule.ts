/** A rule, built from what it selects and how it judges it. */
import type { Finding } from '../../../definitions/findings.ts'
import {
  namesOf,
  nodesOf,
  type NodeKind,
  type NodeOf,
} from '../../../definitions/sql/syntax-tree.ts'
import {
  callsIn,
  comparisonsIn,
  operatorOf,
  type Call,
  type Comparison,
} from '../../sql/expressions.ts'
import type { Kind } from '../kinds.ts'
import { scopesOf, type Draft, type Scope } from './draft.ts'

/** Finds one kind of mistakes in the text of a definition, which loading accepts. */
export interface Rule extends Omit<Kind, 'id' | 'level'> {
  /** By default a warning. */
  readonly level?: Kind['level']
  readonly find: TextRule
  /** Whether it finds nothing without a database. */
  readonly needsCatalog?: true
}

export type TextRule = (draft: Draft) => Finding[]

type Collect<T> = (scope: Scope) => readonly T[]

/** @param judge the message for one element, at its node; false or undefined if there is no fault */
export function onEach<T extends { readonly node: unknown }>(
  collect: Collect<T>,
  judge: (one: T, scope: Scope) => string | false | undefined,
): TextRule {
  return draft =>
    scopesOf(draft).flatMap(scope =>
      collect(scope).flatMap(one => {
        const message = judge(one, scope)
        return message ? [{ line: scope.part.line(one.node), message }] : []
      }),
    )
}

export function calls(...names: string[]): Collect<Call> {
  return ({ expressions }) => callsIn(expressions, names, { subqueries: false })
}

export function nodes<Kind extends NodeKind>(kind: Kind): Collect<{ node: NodeOf<Kind> }> {
  return ({ expressions }) =>
    nodesOf(expressions, kind, { subqueries: false }).map(node => ({ node }))
}

export function comparisons({ expressions }: Scope): Comparison[] {
  return comparisonsIn(expressions, { subqueries: false })
}

/** Names of the columns in an expression, at any depth. */
export function columnNames(root: unknown): string[] {
  return nodesOf(root, 'ColumnRef').flatMap(({ fields }) => namesOf(fields).at(-1) ?? [])
}

export function divisions(scope: Scope) {
  return nodes('A_Expr')(scope).flatMap(({ node: expression }) => {
    const { lexpr: dividend, rexpr: divisor, location: node } = expression
    if (operatorOf({ A_Expr: expression }) !== '/' || !dividend || !divisor) return []
    return [{ node, expression, dividend, divisor }]
  })
}

/** Names of columns, facts and metrics of these types. */
export function namesOfType({ report, metrics }: Draft, ...types: string[]): string[] {
  const columns = Object.entries({ ...report?.columns, ...report?.facts })
  const formats = Object.entries(metrics?.metrics ?? {})
  return [
    ...columns.flatMap(([name, { type }]) => (types.includes(type) ? [name] : [])),
    ...formats.flatMap(([name, { format }]) => (types.includes(format) ? [name] : [])),
  ]
}

/** Items of the statement and totals of these types. */
export function values(...types: string[]) {
  return ({ draft, part, select }: Scope) => {
    const names = namesOfType(draft, ...types)
    const items = part.query.selects.includes(select) ? select.items : []
    return items.flatMap(({ name: own = '', expression: node }) => {
      const name = part.name ?? own
      return names.includes(name) ? [{ name, node }] : []
    })
  }
}
