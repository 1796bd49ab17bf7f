/** Suspects among the nodes that join, sort and group. */
import { count, counted, mebibytes, percent } from './figures.ts'
import { multipliedSums } from './multiplied-sums.ts'
import { nodeName, sourceOf } from './node-name.ts'
import { below, BLOCK_BYTES, inputs, isJoin } from './plan.ts'
import type { Plan, PlanNode } from './plan.ts'
import { sidesOf } from './sides.ts'
import { ownShare, shareBelow } from './suspect.ts'
import type { Suspect } from './suspect.ts'

const MANY_ROWS = 1000
const MANY_LOOPS = 1000
/** Of the buffers of a run. */
const REAL_SHARE = 0.1

export function wrongSums(plan: Plan): Suspect[] {
  return multipliedSums(plan).map(
    ({ node, call, name, columns, join, by, ownRows, joinedRows }) => {
      const does = { sum: 'adds up', avg: 'averages', count: 'counts' }[name]
      const message = `${shortened(call)} ${does} rows that a join has multiplied: ${nodeName(join)} makes ${count(joinedRows)} rows of ${count(ownRows)}, by ${described(by)}; aggregate that before the join, or expect each row several times`
      return { kind: 'multiplied-sum', node, message, share: 1, call: { name, columns } }
    },
  )
}

export function spills(plan: Plan): Suspect[] {
  return plan.nodes
    .filter(({ spilledBlocks }) => spilledBlocks > 0)
    .map(node => {
      const how = node.details.find(({ text }) => text.endsWith('on disk'))
      const size = mebibytes(node.spilledBlocks * BLOCK_BYTES)
      const message = `${nodeName(node)} writes and reads ${size} of temporary files${how === undefined ? '' : ` (${how.text})`}: its rows do not fit into work_mem`
      return { kind: 'spill', node, message, share: ownShare(plan, [node]) }
    })
}

/** What is done again for each row of something else: the inner side of a nested loop, a sub-select. */
export function loops(plan: Plan): Suspect[] {
  const found: Suspect[] = []
  const own = (node: PlanNode): number =>
    node.buffers + inputs(node).reduce((sum, child) => sum + own(child), 0)
  for (const node of plan.nodes) {
    const within = loopWithin(node, plan)
    const buffers = own(node)
    if (within === undefined || buffers < plan.buffers * REAL_SHARE) continue
    const deeper = below(node, inputs).some(inner => inner !== node && loopWithin(inner, plan))
    if (deeper && node.buffers < plan.buffers * REAL_SHARE) continue
    const message = `${nodeName(node)} runs ${count(node.loops)} times ${within}, for ${count(buffers)} of all ${counted(plan.buffers, 'buffer')} (${percent(buffers, plan.buffers)})`
    found.push({ kind: 'loop', node, message, share: shareBelow(plan, node) })
  }
  return found
}

function loopWithin(node: PlanNode, { nodes }: Plan): string | undefined {
  if (node.loops < MANY_LOOPS) return undefined
  const parent = nodes.find(({ children }) => children.includes(node))
  if (parent?.type === 'Nested Loop' && node.relationship === 'Inner') return 'in a nested loop'
  if (parent?.type === 'Memoize') return 'in a nested loop (once for each new value)'
  return node.relationship === 'SubPlan' ? 'as a sub-select of each row' : undefined
}

export function multipliedRows(plan: Plan): Suspect[] {
  return plan.nodes.filter(isJoin).flatMap(node => {
    const [outer, inner] = sidesOf(node) ?? []
    if (outer?.ownRows === undefined || inner?.ownRows === undefined) return []
    if (node.rows < MANY_ROWS || node.rows <= outer.ownRows + inner.ownRows) return []
    const from = [outer, inner].map(
      ({ root, ownRows }) => `${count(ownRows ?? 0)} (${described(root)})`,
    )
    const message = `${nodeName(node)} makes ${count(node.rows)} rows of ${from.join(' and ')}`
    return [{ kind: 'multiplied-rows', node, message, share: shareBelow(plan, node) }]
  })
}

/** By what it scans, if that is one thing. */
function described(node: PlanNode): string {
  const source = sourceOf(node) ?? node.cte
  const [only, ...others] = inputs(node)
  if (source !== undefined || only === undefined || others.length > 0)
    return source ?? nodeName(node)
  return described(only)
}

function shortened(call: string): string {
  return call.length > 100 ? `${call.slice(0, 99)}…` : call
}
