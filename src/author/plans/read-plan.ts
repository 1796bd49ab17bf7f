/** From what `explain (format json)` answers to a plan. Knows no database. */
import { conditionsOf, methodsOf } from './explained.ts'
import type { Explained, ExplainedRun } from './explained.ts'
import { ownFigures, sharedBlocks, temporaryBlocks } from './own-figures.ts'
import type { OwnFigures } from './own-figures.ts'
import { below, isTableScan } from './plan.ts'
import type { Detail, Plan, PlanNode } from './plan.ts'

/** @throws Error where it is no plan in JSON. */
export function readPlan(raw: unknown): Plan {
  const run: ExplainedRun | undefined = Array.isArray(raw) ? raw[0] : undefined
  if (typeof run?.Plan?.['Node Type'] !== 'string') {
    throw new Error('found no plan, expected what explain (format json) answers')
  }
  const root = nodeOf(run.Plan, ownFigures(run.Plan))
  const nodes = below(root)
  return {
    ms: run['Execution Time'] ?? 0,
    planningMs: run['Planning Time'] ?? 0,
    buffers: sharedBlocks(run.Plan),
    spilledBlocks: temporaryBlocks(run.Plan),
    baseRows: nodes
      .filter(isTableScan)
      .reduce((sum, { rows, removedRows }) => sum + rows + removedRows, 0),
    root,
    nodes,
    raw,
  }
}

function nodeOf(node: Explained, own: (node: Explained) => OwnFigures): PlanNode {
  const loops = node['Actual Loops'] ?? 0
  const times = (average: number | undefined) => Math.round((average ?? 0) * loops)
  const conditions = conditionsOf(node)
  return {
    type: node['Node Type'],
    schema: node.Schema,
    table: node['Relation Name'],
    alias: node.Alias,
    index: node['Index Name'],
    cte: node['CTE Name'],
    subplan: node['Subplan Name'],
    relationship: node['Parent Relationship'],
    joinType: node['Join Type'],
    innerUnique: node['Inner Unique'],
    parallel: node['Parallel Aware'] === true,
    loops,
    rows: times(node['Actual Rows']),
    estimatedRows: node['Plan Rows'] * (node['Actual Loops'] ?? 1),
    removedRows:
      times(node['Rows Removed by Filter']) +
      times(node['Rows Removed by Join Filter']) +
      times(node['Rows Removed by Index Recheck']),
    heapFetches: node['Heap Fetches'] ?? 0,
    ...own(node),
    conditions: conditions.map(({ text }) => text),
    groupKeys: groupKeysOf(node),
    output: node.Output ?? [],
    details: [...conditions, ...methodsOf(node), ...onDisk(node)],
    children: (node.Plans ?? []).map(child => nodeOf(child, own)),
  }
}

function groupKeysOf(node: Explained): readonly string[] {
  if (node.Window !== undefined) return [node.Window]
  const sets = (node['Grouping Sets'] ?? []).flatMap(set =>
    (set['Group Keys'] ?? []).concat(set['Hash Keys'] ?? []),
  )
  const [first, ...others] = sets
  if (first === undefined) return node['Group Key'] ?? []
  return first.filter(key => others.every(set => set.includes(key)))
}

/** How what did not fit into work_mem was kept. */
function onDisk(node: Explained): Detail[] {
  const found: Detail[] = []
  const note = (kind: string, text: string) => found.push({ kind, text })
  if (node['Sort Space Type'] === 'Disk') {
    note('Sort Method', `${String(node['Sort Method'])}, ${kib(node['Sort Space Used'])} on disk`)
  }
  if (Number(node['Hash Batches'] ?? 1) > 1) note('Hash Batches', String(node['Hash Batches']))
  if (Number(node['HashAgg Batches'] ?? 1) > 1) {
    note(
      'HashAgg Batches',
      `${String(node['HashAgg Batches'])}, ${kib(node['Disk Usage'])} on disk`,
    )
  }
  if (node['Storage'] === 'Disk') note('Storage', `${kib(node['Maximum Storage'])} on disk`)
  return found
}

function kib(size: unknown): string {
  return `${Number(size ?? 0).toLocaleString('en-US')} KiB`
}
