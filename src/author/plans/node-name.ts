/** The name of a node in the tree. */
import type { PlanNode } from './plan.ts'

/** As psql names it: `Hash Left Join`, `Index Scan operations by operations_by_date`. */
export function nodeName(node: PlanNode): string {
  const { type, joinType, index, cte } = node
  const isPlain = joinType === undefined || joinType === 'Inner'
  const name = isPlain ? type : `${type.replace(' Join', '')} ${joinType} Join`
  const what = sourceOf(node) ?? (cte && `${cte}${aliased(node, cte)}`)
  return `${name}${what === undefined ? '' : ` ${what}`}${index === undefined ? '' : ` by ${index}`}`
}

/** `operations`, or `operations as facts` if EXPLAIN shows an alias. */
function sourceOf(node: PlanNode): string | undefined {
  const { table, alias, cte } = node
  if (table !== undefined) return `${table}${aliased(node, table)}`
  return cte === undefined ? alias : undefined
}

function aliased({ alias }: PlanNode, name: string): string {
  return alias === undefined || alias === name ? '' : ` as ${alias}`
}
