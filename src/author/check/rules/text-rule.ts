/** Builds text rules from what they select and how they judge it. */
import type { Node } from 'libpg-query'
import type { Finding } from '../../../definitions/findings.ts'
import {
  namesOf,
  nodesOf,
  type NodeKind,
  type NodeOf,
} from '../../../definitions/sql/syntax-tree.ts'
import { callsIn, operatorOf, type Call } from '../../sql/expressions.ts'
import type { Select } from '../statement.ts'
import { inEachSelect, type Draft, type DraftPart } from './draft.ts'

/** Finds faults of a definition. */
export type TextRule = (draft: Draft) => Finding[]

/** One select of the statement or of a total, with its own expressions. */
export interface Scope {
  readonly draft: Draft
  readonly part: DraftPart
  readonly select: Select
  readonly expressions: readonly Node[]
}

type Collect<T> = (scope: Scope) => readonly T[]

/** @param judge the message for one element, at its node; false or undefined if there is no fault */
export function onEach<T extends { readonly node: unknown }>(
  collect: Collect<T>,
  judge: (one: T, scope: Scope) => string | false | undefined,
): TextRule {
  return draft =>
    inEachSelect(draft, (expressions, select, part) => {
      const scope = { draft, part, select, expressions }
      return collect(scope).flatMap(one => {
        const message = judge(one, scope)
        return message ? [{ line: part.line(one.node), message }] : []
      })
    })
}

/** Calls of these functions; without names, all calls. */
export function calls(...names: string[]): Collect<Call> {
  const wanted = names.length === 0 ? undefined : names
  return ({ expressions }) => callsIn(expressions, wanted, { subqueries: false })
}

export function nodes<Kind extends NodeKind>(kind: Kind): Collect<{ node: NodeOf<Kind> }> {
  return ({ expressions }) =>
    nodesOf(expressions, kind, { subqueries: false }).map(node => ({ node }))
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
export function valuesOf(draft: Draft, ...types: string[]) {
  const names = namesOfType(draft, ...types)
  const { query, statement: part, totals } = draft
  return [
    ...query.selects.flatMap(select =>
      select.items.flatMap(({ name = '', expression }) =>
        names.includes(name) ? [{ name, expression, select, part }] : [],
      ),
    ),
    ...totals.flatMap(total => {
      const { name, root: expression, type, query: of } = total
      const [select] = of.selects
      return types.includes(type) && select ? [{ name, expression, select, part: total }] : []
    }),
  ]
}
