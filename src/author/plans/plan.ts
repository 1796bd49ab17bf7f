/** What a run of PostgreSQL's EXPLAIN says, as values. Knows neither a database nor definitions. */
import type { Milliseconds } from '../../model/terms.ts'

/** A line under a node, with the name that EXPLAIN has for it: `Index Cond`, `Sort Key`, `Sort Method`, ... */
export interface Detail {
  readonly kind: string
  readonly text: string
}

/** Figures are over all loops and processes. Those of a node alone are without those of its children. */
export interface PlanNode {
  /** `Seq Scan`, `Sort`, ... */
  readonly type: string
  readonly schema: string | undefined
  readonly table: string | undefined
  /** Unique in the plan: `operations_1` is another scan than `operations`. Expressions name columns by it. */
  readonly alias: string | undefined
  readonly index: string | undefined
  /** The CTE that it scans. */
  readonly cte: string | undefined
  /** `CTE sums`, `SubPlan 1`, `InitPlan 1`: what the node is the root of. */
  readonly subplan: string | undefined
  /** `Outer`, `Inner`, `InitPlan`, `SubPlan`, ...: what it is to its parent. */
  readonly relationship: string | undefined
  readonly joinType: string | undefined
  /** Whether a row of the outer side joins one of the inner side at most. */
  readonly innerUnique: boolean | undefined
  /** Whether several processes share its rows among them; `loops` counts them all. */
  readonly parallel: boolean
  /** 0 where it never ran, and in a plan that was not run. */
  readonly loops: number
  readonly rows: number
  /** In a plan that was not run: of one loop. */
  readonly estimatedRows: number
  /** By filters and rechecks. */
  readonly removedRows: number
  /** Of an index-only scan: rows for which the table had to be read. */
  readonly heapFetches: number
  /** Pages of tables and indexes that the node alone asked for, in memory or not. */
  readonly buffers: number
  /** Of the node alone, as the clock on the wall saw it; undefined where nobody looked at it. */
  readonly ms: Milliseconds | undefined
  /** Pages of temporary files that the node alone wrote and read. */
  readonly spilledBlocks: number
  /** What rows must meet here: `Index Cond`, `Recheck Cond`, `Filter`, `Hash Cond`, `Join Filter`, ... */
  readonly conditions: readonly string[]
  /** What rows are grouped by; a window's text. Of grouping sets what is in all of them. */
  readonly groupKeys: readonly string[]
  readonly output: readonly string[]
  /** Conditions, keys and methods as a person reads them. */
  readonly details: readonly Detail[]
  readonly children: readonly PlanNode[]
}

export interface Plan {
  /** Of the execution; 0 in a plan that was not run. */
  readonly ms: Milliseconds
  readonly planningMs: Milliseconds
  /** Those of planning are not among them. */
  readonly buffers: number
  readonly spilledBlocks: number
  /** Rows that were read from tables, whether they were of use or not. */
  readonly baseRows: number
  readonly root: PlanNode
  /** All nodes, each before its children. */
  readonly nodes: readonly PlanNode[]
  /** As EXPLAIN gave it. */
  readonly raw: unknown
}

/** PostgreSQL's usual page. */
export const BLOCK_BYTES = 8192

/** Below so many rows the descents of a few indexes are most of the cost: fewer count as these. */
export const FEWEST_ROWS = 10_000

export function buffersPerThousandRows({ buffers, baseRows }: Plan): number {
  return (buffers * 1000) / Math.max(baseRows, FEWEST_ROWS)
}

const TABLE_SCANS: ReadonlySet<string> = new Set([
  'Seq Scan',
  'Index Scan',
  'Index Only Scan',
  'Bitmap Heap Scan',
  'Tid Scan',
  'Tid Range Scan',
  'Sample Scan',
  'Foreign Scan',
])

export function isTableScan({ type }: Pick<PlanNode, 'type'>): boolean {
  return TABLE_SCANS.has(type)
}

export function isJoin({ type }: Pick<PlanNode, 'type'>): boolean {
  return type === 'Nested Loop' || type === 'Hash Join' || type === 'Merge Join'
}

/** What feeds the node itself, without what was computed apart: CTEs, sub-selects. */
export function inputs(node: PlanNode): readonly PlanNode[] {
  return node.children.filter(({ subplan }) => subplan === undefined)
}

/** The node and all below it; `of` says which children to follow. */
export function below(
  node: PlanNode,
  of: (node: PlanNode) => readonly PlanNode[] = ({ children }) => children,
): PlanNode[] {
  return [node, ...of(node).flatMap(child => below(child, of))]
}
