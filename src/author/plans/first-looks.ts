/** The five things of a plan to look at first: one line for each that applies. */
import { count, counted, duration, mebibytes } from './figures.ts'
import { BLOCK_BYTES, type Plan, type PlanNode } from './plan.ts'

/** Smaller numbers of rows explain no slow statement. */
const MANY_ROWS = 1000
/** PostgreSQL chooses plans for other data if its estimate is so wrong. */
const WRONG_TIMES = 10

/** In the order: time, buffers, removed rows, wrong estimates, spill. */
export function firstLooks({ ms, buffers, spilledBlocks, nodes }: Plan): string[] {
  const most = (figure: (node: PlanNode) => number, atLeast = 0): readonly PlanNode[] => {
    const [first] = nodes.toSorted((one, other) => figure(other) - figure(one))
    return first !== undefined && figure(first) > atLeast ? [first] : []
  }
  return [
    ...most(node => node.ms).map(
      node => `time: ${share(node.ms, ms)} of ${duration(ms)} in ${node.name}`,
    ),
    ...most(node => node.buffers).map(
      node => `buffers: ${share(node.buffers, buffers)} of ${count(buffers)} in ${node.name}`,
    ),
    ...most(node => node.removedRows, MANY_ROWS).map(
      ({ removedRows, rows, name }) =>
        `removed rows: ${count(removedRows)} read in vain for ${counted(rows, 'row')} of ${name}`,
    ),
    ...most(misestimate, WRONG_TIMES).map(
      ({ rows, estimatedRows, name }) =>
        `estimate: ${counted(rows, 'row')} in place of ${count(estimatedRows)} in ${name}`,
    ),
    ...(spilledBlocks === 0
      ? []
      : [`spill: ${mebibytes(spilledBlocks * BLOCK_BYTES)} written and read, expected work_mem`]),
  ]
}

/** By which factor the estimate is wrong; 0 for few rows. */
function misestimate({ rows, estimatedRows, loops }: PlanNode): number {
  if (loops === 0 || Math.max(rows, estimatedRows) < MANY_ROWS) return 0
  const [less, more] = [rows, estimatedRows].toSorted((one, other) => one - other)
  return more! / Math.max(1, less!)
}

function share(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`
}
