/** How a node is called in a sentence and in a tree. */
import type { PlanNode } from './plan.ts'

/** As psql does: `Hash Left Join`, `Index Scan operations by operations_by_date`. */
export function nodeName(node: PlanNode): string {
  const { index, cte } = node
  const what = sourceOf(node) ?? (cte === undefined ? undefined : `${cte}${aliased(node, cte)}`)
  return [typeName(node), what, index === undefined ? undefined : `by ${index}`]
    .filter(part => part !== undefined)
    .join(' ')
}

/** `operations`, or `operations as facts` where EXPLAIN calls it so. */
export function sourceOf(node: PlanNode): string | undefined {
  const { table, alias, cte } = node
  if (table !== undefined) return `${table}${aliased(node, table)}`
  return cte === undefined ? alias : undefined
}

function aliased({ alias }: PlanNode, name: string): string {
  return alias === undefined || alias === name ? '' : ` as ${alias}`
}

function typeName({ type, joinType }: PlanNode): string {
  if (joinType === undefined || joinType === 'Inner') return type
  return type === 'Nested Loop'
    ? `${type} ${joinType} Join`
    : type.replace('Join', `${joinType} Join`)
}
