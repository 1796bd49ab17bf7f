/** Suspects among joins, sorts and groups. */
import { count, counted, mebibytes, percent } from './figures.ts'
import { describedSide, nodeName } from './node-name.ts'
import { below, BLOCK_BYTES, inputs, isJoin } from './plan.ts'
import type { Plan, PlanNode } from './plan.ts'
import { sidesOf } from './sides.ts'
import { MANY_ROWS, type SuspectRule } from './suspect.ts'

const MANY_LOOPS = 1000
/** The share of an execution's buffers from which a loop is reported. */
const REAL_SHARE = 0.1

export const spill: SuspectRule = node => {
  const { spilledBlocks, details } = node
  if (spilledBlocks === 0) return undefined
  const how = details.find(({ text }) => text.endsWith('on disk'))
  const size = mebibytes(spilledBlocks * BLOCK_BYTES)
  return `${nodeName(node)} writes and reads ${size} of temporary files${how === undefined ? '' : ` (${how.text})`}: its rows do not fit into work_mem`
}

/** A node executed once per row of another: the inner side of a nested loop, a sub-select. */
export const loop: SuspectRule = (node, plan) => {
  const within = loopWithin(node, plan)
  const all = below(node, inputs)
  const buffers = all.reduce((sum, one) => sum + one.buffers, 0)
  const least = plan.buffers * REAL_SHARE
  if (within === undefined || buffers < least) return undefined
  const isDeeper = all.some(inner => inner !== node && loopWithin(inner, plan))
  if (isDeeper && node.buffers < least) return undefined
  return `${nodeName(node)} is executed ${count(node.loops)} times ${within}, for ${count(buffers)} of all ${counted(plan.buffers, 'buffer')} (${percent(buffers, plan.buffers)})`
}

function loopWithin(node: PlanNode, { nodes }: Plan): string | undefined {
  if (node.loops < MANY_LOOPS) return undefined
  const parent = nodes.find(({ children }) => children.includes(node))
  if (parent?.type === 'Nested Loop' && node.relationship === 'Inner') return 'in a nested loop'
  if (parent?.type === 'Memoize') return 'in a nested loop (once for each new value)'
  return node.relationship === 'SubPlan' ? 'as a sub-select of each row' : undefined
}

export const growingJoin: SuspectRule = node => {
  const sides = isJoin(node) && node.rows >= MANY_ROWS ? (sidesOf(node) ?? []) : []
  const own = sides.reduce((sum, { ownRows = Infinity }) => sum + ownRows, 0)
  if (sides.length === 0 || node.rows <= own) return undefined
  const from = sides.map(({ root, ownRows = 0 }) => `${count(ownRows)} (${describedSide(root)})`)
  return `${nodeName(node)} makes ${count(node.rows)} rows of ${from.join(' and ')}`
}
