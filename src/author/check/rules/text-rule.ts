/** Builds text rules from what they select and how they judge it. */
import type { Node } from 'libpg-query'
import type { Finding } from '../../../definitions/findings.ts'
import {
  namesOf,
  nodesOf,
  type NodeKind,
  type NodeOf,
} from '../../../definitions/sql/syntax-tree.ts'
import { callsIn, type Call } from '../../sql/expressions.ts'
import type { Select } from '../statement.ts'
import { inEachSelect, type Draft, type DraftPart } from './draft.ts'

/** Finds faults of a definition. @param all the definitions of the folder */
export type TextRule = (draft: Draft, all: readonly Draft[]) => Finding[]

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
