/** Suspects among scans: whole tables, discarded rows, index-only scans that read the table. */
import type { Bytes } from '../../model/terms.ts'
import { count, mebibytes, percent } from './figures.ts'
import { nodeName } from './node-name.ts'
import type { PlanNode } from './plan.ts'
import { MANY_ROWS, type SuspectRule } from './suspect.ts'
import { tableOf } from './table-sizes.ts'
import type { TableSizes } from './table-sizes.ts'

/** A sequential scan of a smaller table does no harm. */
const LARGE_TABLE: Bytes = 2 ** 20
/** The share of discarded rows from which a scan is reported. */
const MOST = 0.9

export const sequentialScan: SuspectRule = (node, _plan, sizes) => {
  const { rows, removedRows, loops } = node
  const bytes = wholeTable(node, sizes)
  if (bytes === undefined) return undefined
  const read = rows + removedRows
  const times = node.parallel || loops === 1 ? '' : ` ${count(loops)} times`
  return `${nodeName(node)} reads the whole table${times}, ${mebibytes(bytes)}: ${count(rows)} of ${count(read)} rows were used (${percent(rows, read)})`
}

/** The size of a large table that the node scans sequentially. */
function wholeTable(node: PlanNode, sizes: TableSizes): Bytes | undefined {
  const bytes = sizes.get(tableOf(node) ?? '') ?? 0
  return node.type === 'Seq Scan' && node.loops > 0 && bytes > LARGE_TABLE ? bytes : undefined
}

/** Excludes the sequential scans above, which have their own message. */
export const discardedRows: SuspectRule = (node, _plan, sizes) => {
  const { rows, removedRows, details } = node
  const read = rows + removedRows
  if (read < MANY_ROWS || removedRows < read * MOST) return undefined
  if (wholeTable(node, sizes) !== undefined) return undefined
  const filter = details.find(({ kind }) => kind === 'Join Filter' || kind === 'Filter')
  return `${nodeName(node)} discards ${count(removedRows)} of ${count(read)} rows (${percent(removedRows, read)}) by ${filter?.text ?? 'a recheck'}`
}

export const heapFetches: SuspectRule = node => {
  const read = node.rows + node.removedRows
  if (node.heapFetches < MANY_ROWS || node.heapFetches * 2 <= read) return undefined
  return `${nodeName(node)} read the table for ${count(node.heapFetches)} of ${count(read)} rows: the table was not vacuumed since they were written`
}
