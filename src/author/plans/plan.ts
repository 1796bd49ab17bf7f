/** The output of EXPLAIN as values. Knows neither a database nor definitions. */
import type { Milliseconds } from '../../model/terms.ts'

/** A line under a node, by EXPLAIN's name: `Index Cond`, `Sort Key`, `Sort Method`, ... */
export interface NodeDetail {
  readonly kind: string
  readonly text: string
}

/** Figures are totals over all loops and processes. A node's own figures exclude its children. */
export interface PlanNode {
  /** `Seq Scan`, `Sort`, ... */
  readonly type: string
  readonly schema: string | undefined
  readonly table: string | undefined
  /** Unique in the plan: `operations_1` is a second scan of `operations`. Expressions qualify columns with it. */
  readonly alias: string | undefined
  readonly index: string | undefined
  /** The CTE that it scans. */
  readonly cte: string | undefined
  /** The subplan whose root this node is: `CTE sums`, `SubPlan 1`, `InitPlan 1`. */
  readonly subplan: string | undefined
  /** Its relationship to its parent: `Outer`, `Inner`, `InitPlan`, `SubPlan`, ... */
  readonly relationship: string | undefined
  readonly joinType: string | undefined
  /** The total of all processes; 0 if the node was not executed. */
  readonly loops: number
  readonly rows: number
  readonly estimatedRows: number
  /** Rows removed by filters and rechecks. */
  readonly removedRows: number
  /** The node's own pages of tables and indexes, cached or not. */
  readonly buffers: number
  /** The node's own elapsed time; 0 without timing. */
  readonly ms: Milliseconds
  /** The node's own reads and writes of temporary pages. */
  readonly spilledBlocks: number
  readonly output: readonly string[]
  /** Conditions (`Index Cond`, `Filter`, `Hash Cond`, ...), keys and methods, as printed for people. */
  readonly details: readonly NodeDetail[]
  readonly children: readonly PlanNode[]
}

export interface Plan {
  /** Execution time; 0 if the plan was not executed. */
  readonly ms: Milliseconds
  readonly planningMs: Milliseconds
  /** Without those of planning. */
  readonly buffers: number
  readonly spilledBlocks: number
  /** Rows read from tables, including those removed by filters. */
  readonly baseRows: number
  readonly root: PlanNode
  /** All nodes, parents before children. */
  readonly nodes: readonly PlanNode[]
  /** The output of EXPLAIN. */
  readonly raw: unknown
}

/** PostgreSQL's default page size. */
export const BLOCK_BYTES = 8192

/** With fewer rows, index descents dominate the cost, so this number is used instead. */
export const FEWEST_ROWS = 10_000

export function buffersPerThousandRows({ buffers, baseRows }: Plan): number {
  return (buffers * 1000) / Math.max(baseRows, FEWEST_ROWS)
}

const TABLE_SCAN = /^(?:Seq|Index|Index Only|Bitmap Heap|Tid|Tid Range|Sample|Foreign) Scan$/

export function isTableScan({ type }: PlanNode): boolean {
  return TABLE_SCAN.test(type)
}

/** The node and its descendants, parents before children. */
export function below(node: PlanNode): PlanNode[] {
  return [node, ...node.children.flatMap(below)]
}
