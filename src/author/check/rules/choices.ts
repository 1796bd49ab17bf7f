/** The expressions whose value an expression may take. */
import type { Node } from 'libpg-query'
import { valuesBehind, type ScopedNode } from '../../sql/columns.ts'
import { alternativesOf, isNull } from '../../sql/expressions.ts'
import type { Select } from '../../sql/relations.ts'

/**
 * Expressions whose non-null value it may take: results of `case`, arguments of `coalesce` and `max`, the source of a
 * column or a scalar subquery. Empty for computed values and table columns.
 */
export function choicesOf(node: Node, select: Select): ScopedNode[] {
  const inside = alternativesOf(node).filter(one => !isNull(one))
  return [...inside.map(one => [one, select] as const), ...valuesBehind(node, select)]
}

/** Caches `find` by node, since columns of CTEs are reached many times. A node belongs to one select. */
export function perNode<Found>(find: (node: Node, select: Select) => Found) {
  const known = new WeakMap<Node, Found>()
  return (node: Node | undefined, select: Select): Found | undefined => {
    if (node === undefined) return undefined
    if (!known.has(node)) known.set(node, find(node, select))
    return known.get(node)
  }
}
