/** Where the planner expected far more or fewer rows than came: what it chose above there was chosen by mistake. */
import { count } from './figures.ts'
import { nodeName } from './node-name.ts'
import { inputs } from './plan.ts'
import type { Plan, PlanNode } from './plan.ts'
import { ownShare } from './suspect.ts'
import type { Suspect } from './suspect.ts'

const OFF_BY = 10
const MANY_ROWS = 1000

/** Those that begin to be off, not all above them. */
export function estimates(plan: Plan): Suspect[] {
  const cut = cutShort(plan.root)
  const ctes = new Map(plan.nodes.map(node => [node.subplan, node]))
  return plan.nodes.flatMap(node => {
    const off = offBy(node, cut)
    // What a bitmap has its heap scan has too.
    if (off === undefined || node.type.startsWith('Bitmap Index')) return []
    const below = [
      ...inputs(node).filter(({ alias, children }) => alias !== undefined || children.length > 0),
      ctes.get(`CTE ${node.cte}`),
    ]
    if (below.some(child => child !== undefined && offBy(child, cut)?.more === off.more)) return []
    const times = `${count(off.factor)} times as ${off.more ? 'many' : 'few'}`
    const message = `${nodeName(node)}: ${count(node.estimatedRows)} rows expected, ${count(node.rows)} came (${times})`
    return [{ kind: 'estimate', node, message, share: ownShare(plan, [node]) }]
  })
}

function offBy(
  node: PlanNode,
  cut: ReadonlySet<PlanNode>,
): { readonly more: boolean; readonly factor: number } | undefined {
  const { rows, estimatedRows, loops } = node
  if (Math.max(rows, estimatedRows) < MANY_ROWS || loops === 0) return undefined
  const more = rows > estimatedRows
  // Of each loop the planner expects one row at least, and of what is not read to its end all.
  if (!more && (estimatedRows <= loops || cut.has(node))) return undefined
  const factor = more ? rows / Math.max(1, estimatedRows) : estimatedRows / Math.max(1, rows)
  return factor >= OFF_BY ? { more, factor } : undefined
}

/** Takes all its rows before it gives the first. */
const TAKES_ALL: ReadonlySet<string> = new Set(['Sort', 'Aggregate', 'Hash', 'SetOp'])

/** What may have been left before its end: below a limit, on the sides of a merge, in a search for one match. */
function cutShort(node: PlanNode, isCut = false): Set<PlanNode> {
  const stops =
    node.type === 'Limit' ||
    node.type === 'Merge Join' ||
    node.type === 'Unique' ||
    node.innerUnique === true ||
    ['Semi', 'Anti'].includes(node.joinType ?? '')
  const found = new Set(isCut ? [node] : [])
  for (const child of node.children) {
    const apart = child.subplan !== undefined
    const below = apart || stops || (isCut && !TAKES_ALL.has(node.type))
    for (const cut of cutShort(child, below)) found.add(cut)
  }
  return found
}
