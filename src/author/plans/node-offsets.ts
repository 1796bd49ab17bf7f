/** Maps nodes of a plan to offsets in the statement. */
import { everyQuery, everySelect, type Query } from '../sql/query.ts'
import { inputs } from './plan.ts'
import type { Plan, PlanNode } from './plan.ts'
import type { ScannedRelations } from './scanned-relations.ts'

/**
 * The offset of the relation that a scan reads; for other nodes that of the joined relation, or of the CTE or subquery
 * around it. Undefined if several or none match: a wrong offset is worse than none.
 */
export type NodeOffset = (node: PlanNode) => number | undefined

export function nodeOffsets(plan: Plan, query: Query, scanned: ScannedRelations): NodeOffset {
  const parents = new Map(plan.nodes.flatMap(node => node.children.map(child => [child, node])))
  const subqueries = everySelect(query)
    .flatMap(({ relations }) => relations)
    .filter(({ kind }) => kind === 'subquery')
  const named = [
    ...everyQuery(query).flatMap(({ ctes }) => ctes),
    ...subqueries.map(({ alias, offset }) => ({ name: alias, offset })),
  ]
  const around = (node: PlanNode): number | undefined => {
    for (let at: PlanNode | undefined = node; at !== undefined; at = parents.get(at)) {
      const cte = /^CTE (.*)/.exec(at.subplan ?? '')?.[1]
      const name = cte ?? (at !== node && at.type === 'Subquery Scan' ? at.alias : undefined)
      const [found, ...others] = named.filter(one => one.name === name)
      if (found !== undefined && others.length === 0) return found.offset
      if (cte !== undefined) return undefined
    }
    return undefined
  }
  const offsetOf: NodeOffset = node => {
    if (node.table !== undefined || node.cte !== undefined) return scanned.get(node)?.offset
    const [first, second] = inputs(node)
    // why: a `group by` is not at the relation that it reads
    const isOfAll = node.type.endsWith('Append') || node.type === 'Aggregate'
    const from = isOfAll ? undefined : (second ?? first)
    return (from && offsetOf(from)) ?? around(node)
  }
  return offsetOf
}
