/** The output of EXPLAIN as values. Knows neither a database nor definitions. */
import type { Milliseconds } from '../../model/terms.ts'

/** Figures are totals over all loops and processes. */
export interface PlanNode {
  /** `Seq Scan`, `Sort`, ... */
  readonly type: string
  readonly schema: string | undefined
  readonly table: string | undefined
  readonly index: string | undefined
  /** As in the plan's text: `Hash Left Join`, `Index Scan using operations_by_date on operations`. */
  readonly name: string
  /** The total of all processes; 0 if the node was not executed. */
  readonly loops: number
  readonly rows: number
  readonly estimatedRows: number
  /** Rows removed by filters and rechecks. */
  readonly removedRows: number
  /** Pages of tables and indexes, cached or not; without those of the node's children. */
  readonly buffers: number
  /** Elapsed time without that of the node's children; 0 without timing. */
  readonly ms: Milliseconds
}

export interface Plan {
  /** Execution time; 0 if the plan was not executed. */
  readonly ms: Milliseconds
  /** Without those of planning. */
  readonly buffers: number
  /** Reads and writes of temporary pages. */
  readonly spilledBlocks: number
  /** Rows read from tables, including those removed by filters. */
  readonly baseRows: number
  /** Parents before children. */
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
