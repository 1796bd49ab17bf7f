/** What to look at first in a plan, ranked by what it costs. Knows plans, not the definition that made them. */
import { estimates } from './estimates.ts'
import type { Plan } from './plan.ts'
import { discardedRows, heapFetches, sequentialScans } from './reading-suspects.ts'
import type { Suspect } from './suspect.ts'
import type { TableSizes } from './table-sizes.ts'
import { loops, multipliedRows, spills, wrongSums } from './working-suspects.ts'

/** What costs less is not worth a line. */
const LEAST_SHARE = 0.02

/** Sums of multiplied rows first, as they are no matter of speed; then by their share of the run. */
export function suspectsOf(plan: Plan, sizes: TableSizes): Suspect[] {
  const slow = [
    ...sequentialScans(plan, sizes),
    ...spills(plan),
    ...loops(plan),
    ...discardedRows(plan, sizes),
    ...heapFetches(plan),
    ...multipliedRows(plan),
    ...estimates(plan),
  ].filter(({ share }) => share >= LEAST_SHARE)
  return [...wrongSums(plan), ...slow.toSorted((a, b) => b.share - a.share)]
}
