/** The two sides of a join and their row counts. */
import { escapeIdentifier } from 'pg'
import { below, inputs } from './plan.ts'
import type { PlanNode } from './plan.ts'

export interface JoinSide {
  readonly root: PlanNode
  /**
   * Rows without repetition: a side that is read again for each outer row counts once. Undefined if it is looked up per
   * outer row, since then the number of distinct rows is unknown.
   */
  readonly ownRows: number | undefined
  /** Whether the join returns rows without a match on this side. */
  readonly nullable: boolean
}

/** Undefined if the node does not have two inputs. */
export function sidesOf(join: PlanNode): readonly [JoinSide, JoinSide] | undefined {
  const [outer, inner] = inputs(join)
  if (outer === undefined || inner === undefined) return undefined
  const isNullable = (by: string) => join.joinType === 'Full' || join.joinType === by
  const ownRows = rowsOfInner(join, outer, inner)
  return [
    { root: outer, ownRows: outer.rows, nullable: isNullable('Right') },
    { root: inner, ownRows, nullable: isNullable('Left') },
  ]
}

function rowsOfInner(join: PlanNode, outer: PlanNode, inner: PlanNode): number | undefined {
  if (join.type !== 'Nested Loop') return inner.rows
  const [cached] = inner.children
  // why: Memoize returns repeated rows without a lookup
  if (inner.type === 'Memoize' && cached !== undefined && cached.loops < inner.loops) {
    return cached.rows
  }
  const aliases = below(outer, inputs).flatMap(({ alias }) => alias ?? [])
  // why: EXPLAIN writes a column as `alias.name`; a string literal of that form only makes a figure unknown
  const names = aliases.flatMap(alias => [alias, escapeIdentifier(alias)])
  const named = new RegExp(`(?<![\\w$".])(?:${names.map(escapedPattern).join('|')})\\.`)
  const isLookedUp =
    aliases.length > 0 &&
    below(inner).some(({ output, details }) =>
      output.concat(details.map(({ text }) => text)).some(text => named.test(text)),
    )
  if (isLookedUp) return undefined
  return inner.loops === 0 ? 0 : inner.rows / inner.loops
}

/** A regular expression that matches the text. */
function escapedPattern(text: string): string {
  return text.replaceAll(/\W/g, '\\$&')
}
