/** Converts the output of `explain (format json)` to a plan. Knows no database. */
import { nodeFigures } from './node-figures.ts'
import { below, isTableScan } from './plan.ts'
import type { NodeDetail, Plan, PlanNode } from './plan.ts'

/** A node as EXPLAIN prints it: row counts and times are averages per loop, absent without execution. */
interface Explained {
  readonly Plans?: readonly Explained[]
  readonly [key: string]: unknown
}

/** @throws Error if it is not a plan in JSON. */
export function readPlan(raw: unknown): Plan {
  const output: Explained | undefined = Array.isArray(raw) ? raw[0] : undefined
  const top = (output?.['Plan'] ?? {}) as Explained
  if (output === undefined || typeof top['Node Type'] !== 'string') {
    throw new Error('found no plan, expected the output of explain (format json)')
  }
  const root = nodeOf(top, 1)
  const nodes = below(root)
  const { buffers, spilledBlocks } = root
  for (const figure of ['buffers', 'ms', 'spilledBlocks'] as const)
    for (const [node, own] of nodeFigures(nodes, figure)) Object.assign(node, { [figure]: own })
  return {
    ms: numberOf(output, 'Execution Time'),
    planningMs: numberOf(output, 'Planning Time'),
    buffers,
    spilledBlocks,
    baseRows: nodes
      .filter(isTableScan)
      .reduce((sum, { rows, removedRows }) => sum + rows + removedRows, 0),
    root,
    nodes,
    raw,
  }
}

/** A node whose figures include its children. @param processes that execute it in parallel */
function nodeOf(node: Explained, processes: number): PlanNode {
  const number = (key: string) => numberOf(node, key)
  const text = (key: string) => node[key] as string | undefined
  const loops = number('Actual Loops')
  const times = (key: string) => Math.round(number(key) * loops)
  const type = text('Node Type') ?? ''
  const children = (node.Plans ?? []).map(child => {
    const started = numberOf(child, 'Actual Loops') / Math.max(1, loops)
    return nodeOf(child, type.startsWith('Gather') ? Math.max(1, started) : processes)
  })
  return {
    type,
    schema: text('Schema'),
    table: text('Relation Name'),
    alias: text('Alias'),
    index: text('Index Name'),
    cte: text('CTE Name'),
    subplan: text('Subplan Name'),
    relationship: text('Parent Relationship'),
    joinType: text('Join Type'),
    loops,
    rows: times('Actual Rows'),
    estimatedRows: number('Plan Rows') * Number(node['Actual Loops'] ?? 1),
    removedRows:
      times('Rows Removed by Filter') +
      times('Rows Removed by Join Filter') +
      times('Rows Removed by Index Recheck'),
    buffers: number('Shared Hit Blocks') + number('Shared Read Blocks'),
    // why: a parallel node's time is the average of processes that ran at the same time
    ms: (number('Actual Total Time') * loops) / processes,
    spilledBlocks: number('Temp Read Blocks') + number('Temp Written Blocks'),
    output: (node['Output'] as string[] | undefined) ?? [],
    details: [...detailsOf(node), ...onDisk(node)],
    children,
  }
}

function numberOf(node: Explained, key: string): number {
  return Number(node[key] ?? 0)
}

/** Conditions, and the keys of sorts and groups. */
const DETAIL = /(?:Cond|Condition|Filter|Key)$|^Window$/

function detailsOf(node: Explained): NodeDetail[] {
  return Object.entries(node).flatMap(([kind, found]) => {
    const isText = typeof found === 'string' || Array.isArray(found)
    return isText && DETAIL.test(kind) ? [{ kind, text: [found].flat().join(', ') }] : []
  })
}

/** Details of a node that spilled to disk because of work_mem. */
function onDisk(node: Explained): NodeDetail[] {
  const sizes = {
    'Sort Method': node['Sort Space Type'] === 'Disk' ? node['Sort Space Used'] : 0,
    'HashAgg Batches': node['Disk Usage'] ?? 0,
    Storage: node['Storage'] === 'Disk' ? node['Maximum Storage'] : 0,
  }
  return Object.entries(sizes).flatMap(([kind, size]) => {
    const text = `${String(node[kind])}, ${Number(size).toLocaleString('en-US')} KiB on disk`
    return size === 0 ? [] : [{ kind, text }]
  })
}
