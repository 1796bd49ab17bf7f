/** The two sides of a join, and how many rows of its own each brings. */
import { aliasesIn } from './expressions.ts'
import { below, inputs, isTableScan } from './plan.ts'
import type { PlanNode } from './plan.ts'

export interface Side {
  readonly root: PlanNode
  readonly aliases: ReadonlySet<string>
  /**
   * Those that differ: a side that is read again for each row of the other has each of them once. Undefined where it
   * is looked up in for each row, which says nothing of how often one was found.
   */
  readonly ownRows: number | undefined
  /** Whether the join gives rows without any of this side. */
  readonly nullable: boolean
}

/** Undefined where it has not two. */
export function sidesOf(join: PlanNode): readonly [Side, Side] | undefined {
  const [outer, inner] = inputs(join)
  if (outer === undefined || inner === undefined) return undefined
  const outerAliases = aliasesBelow(outer)
  const full = join.joinType === 'Full'
  return [
    {
      root: outer,
      aliases: outerAliases,
      ownRows: outer.rows,
      nullable: full || join.joinType === 'Right',
    },
    {
      root: inner,
      aliases: aliasesBelow(inner),
      ownRows: rowsOfInner(join, inner, outerAliases),
      nullable: full || join.joinType === 'Left',
    },
  ]
}

function aliasesBelow(node: PlanNode): ReadonlySet<string> {
  return new Set(below(node, inputs).flatMap(({ alias }) => alias ?? []))
}

function rowsOfInner(
  join: PlanNode,
  inner: PlanNode,
  outerAliases: ReadonlySet<string>,
): number | undefined {
  if (join.type !== 'Nested Loop') return inner.rows
  const lookedUp = below(inner).some(({ conditions, output, details }) =>
    [...aliasesIn([...conditions, ...output, ...details.map(({ text }) => text)])].some(alias =>
      outerAliases.has(alias),
    ),
  )
  const [cached] = inner.children
  // What is asked for again comes out of a Memoize without a look-up.
  if (inner.type === 'Memoize' && cached !== undefined && cached.loops < inner.loops) {
    return cached.rows
  }
  if (lookedUp) return undefined
  return inner.loops === 0 ? 0 : inner.rows / inner.loops
}

/** Rows of the scan that has the alias, of one reading. */
export function rowsOfAlias(node: PlanNode, alias: string): number {
  const scan = below(node, inputs).find(found => found.alias === alias)
  if (scan === undefined) return 0
  return isTableScan(scan) || scan.loops <= 1 ? scan.rows : scan.rows / scan.loops
}
