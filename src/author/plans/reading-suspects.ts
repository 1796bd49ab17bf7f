/** Suspects among the nodes that read: whole tables, rows for nothing, index-only scans that are not. */
import type { Bytes } from '../../model/terms.ts'
import { count, mebibytes, percent } from './figures.ts'
import { nodeName } from './node-name.ts'
import type { Plan, PlanNode } from './plan.ts'
import { ownShare } from './suspect.ts'
import type { Suspect } from './suspect.ts'
import { tableOf } from './table-sizes.ts'
import type { TableSizes } from './table-sizes.ts'

/** A smaller table may be read whole without harm. */
const LARGE_TABLE: Bytes = 2 ** 20
/** Fewer rows are not worth a look. */
const MANY_ROWS = 1000
const MOST = 0.9

export function sequentialScans(plan: Plan, sizes: TableSizes): Suspect[] {
  return plan.nodes.filter(readsWholeTable(sizes)).map(node => {
    const bytes = sizes.get(tableOf(node) ?? '') ?? 0
    const read = node.rows + node.removedRows
    const times = node.parallel || node.loops <= 1 ? '' : ` ${count(node.loops)} times`
    const message = `${nodeName(node)} reads the whole table${times}, ${mebibytes(bytes)}: ${count(node.rows)} of ${count(read)} rows were of use (${percent(node.rows, read)})`
    return { kind: 'sequential-scan', node, message, share: ownShare(plan, [node]) }
  })
}

function readsWholeTable(sizes: TableSizes) {
  return (node: PlanNode): boolean =>
    node.type === 'Seq Scan' &&
    node.loops > 0 &&
    (sizes.get(tableOf(node) ?? '') ?? 0) > LARGE_TABLE
}

/** But those of the scans above, which say so themselves. */
export function discardedRows(plan: Plan, sizes: TableSizes): Suspect[] {
  const whole = readsWholeTable(sizes)
  return plan.nodes.flatMap(node => {
    const { rows, removedRows } = node
    const looked = rows + removedRows
    if (looked < MANY_ROWS || removedRows < looked * MOST || whole(node)) return []
    const filter = node.details.find(({ kind }) => kind === 'Join Filter' || kind === 'Filter')
    const by = filter === undefined ? 'by a recheck' : `by ${filter.text}`
    const message = `${nodeName(node)} throws away ${count(removedRows)} of ${count(looked)} rows (${percent(removedRows, looked)}) ${by}`
    return [{ kind: 'discarded-rows', node, message, share: ownShare(plan, [node]) }]
  })
}

export function heapFetches(plan: Plan): Suspect[] {
  return plan.nodes.flatMap(node => {
    const { heapFetches, rows, removedRows } = node
    const read = rows + removedRows
    if (heapFetches < MANY_ROWS || heapFetches * 2 <= read) return []
    const message = `${nodeName(node)} had to look into the table for ${count(heapFetches)} of ${count(read)} rows: the table was not vacuumed since they were written`
    return [{ kind: 'heap-fetches', node, message, share: ownShare(plan, [node]) }]
  })
}
