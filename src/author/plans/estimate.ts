/** Wrong row estimates, by which the planner chose the nodes above. */
import { count } from './figures.ts'
import { nodeName } from './node-name.ts'
import { inputs } from './plan.ts'
import type { PlanNode } from './plan.ts'
import { MANY_ROWS, type SuspectRule } from './suspect.ts'

const OFF_BY = 10

/** Reports the lowest node with a wrong estimate, not those above it. */
export const estimate: SuspectRule = (node, { nodes, root }) => {
  const cut = cutShort(root)
  const off = offBy(node, cut)
  // A bitmap heap scan has the same rows as its index scan.
  if (off === undefined || node.type.startsWith('Bitmap Index')) return undefined
  const below = [
    ...inputs(node).filter(({ alias, children }) => alias !== undefined || children.length > 0),
    ...nodes.filter(({ subplan }) => subplan === `CTE ${node.cte}`),
  ]
  if (below.some(child => offBy(child, cut)?.more === off.more)) return undefined
  const times = `${count(off.factor)} times as ${off.more ? 'many' : 'few'}`
  return `${nodeName(node)}: ${count(node.estimatedRows)} rows expected, ${count(node.rows)} came (${times})`
}

function offBy(node: PlanNode, cut: ReadonlySet<PlanNode>) {
  const { rows, estimatedRows, loops } = node
  if (Math.max(rows, estimatedRows) < MANY_ROWS || loops === 0) return undefined
  const more = rows > estimatedRows
  // The planner expects at least one row per loop, and all rows of a node that may stop early.
  if (!more && (estimatedRows <= loops || cut.has(node))) return undefined
  const factor = more ? rows / Math.max(1, estimatedRows) : estimatedRows / Math.max(1, rows)
  return factor >= OFF_BY ? { more, factor } : undefined
}

/** Nodes that read all input rows before they return the first. */
const TAKES_ALL: ReadonlySet<string> = new Set(['Sort', 'Aggregate', 'Hash', 'SetOp'])

/** Nodes that may stop early: below a limit, in a merge join, or in a search for one match. */
function cutShort(node: PlanNode, isCut = false): Set<PlanNode> {
  const stops =
    node.innerUnique ||
    ['Limit', 'Merge Join', 'Unique'].includes(node.type) ||
    ['Semi', 'Anti'].includes(node.joinType ?? '')
  const found = new Set(isCut ? [node] : [])
  for (const child of node.children) {
    const apart = child.subplan !== undefined
    const below = apart || stops || (isCut && !TAKES_ALL.has(node.type))
    for (const cut of cutShort(child, below)) found.add(cut)
  }
  return found
}
