/**
 * How many buffers more a run may ask for when there are ten times as many organizations. These and no others:
 * - for each descent of an index, the levels that it is deeper than the one that the table was read by before; a
 *   nested loop descends once a loop;
 * - for each scan of an index, a leaf at both ends of the organization's stretch, which its neighbours may have split;
 * - where a table was so small that it was read whole, and is read by index now, the whole of such a descent;
 * - where the planner has changed its mind about a table of which the organization has few pages, those pages, or
 *   the descents of its look-ups, in place of what was read there.
 */
import type { Plan, PlanNode } from '../../../src/author/plans/plan.ts'

export interface Index {
  readonly table: string
  /** Levels above the leaves: what a descent reads before its leaf. */
  readonly level: number
}

export interface Product {
  readonly indexes: ReadonlyMap<string, Index>
  /** Buffers for all rows of the organization that asks, by table. */
  readonly ownRows: ReadonlyMap<string, number>
}

/** How many buffers a directory takes: of such a table any plan is a good one. */
const FEW_BUFFERS = 60

export function allowedGrowth(before: Plan, after: Plan, few: Product, many: Product): number {
  return ofDescents(before, after, few, many) + ofOtherPlans(before, after, few, many)
}

function ofDescents(before: Plan, after: Plan, few: Product, many: Product): number {
  const byNode = after.nodes.map(({ index, loops }) => {
    const grown = many.indexes.get(index ?? '')
    if (index === undefined || grown === undefined) return 0
    return loops * Math.max(0, grown.level - levelBefore(index, grown.table, before, few)) + 2
  })
  return sum(byNode)
}

/** Of that index, if it was read; else of the others of its table; -1 if the table was read whole. */
function levelBefore(index: string, table: string, before: Plan, few: Product): number {
  const names = before.nodes.map(node => node.index ?? '')
  const others = names.filter(name => few.indexes.get(name)?.table === table)
  const read = names.includes(index) ? [index] : others
  if (read.length === 0) return -1
  return Math.min(...read.map(name => few.indexes.get(name)?.level ?? 0))
}

function ofOtherPlans(before: Plan, after: Plan, few: Product, many: Product): number {
  const byTable = [...few.ownRows].map(([table, own]) => {
    if (own > FEW_BUFFERS) return 0
    const were = before.nodes.filter(node => node.table === table)
    const are = after.nodes.filter(node => node.table === table)
    const instead = sum(
      without(are, were).map(({ index, loops }) => {
        const level = many.indexes.get(index ?? '')?.level ?? 0
        // A look-up reads down to a leaf, and then the row.
        return loops > 1 ? Math.max(own, loops * (level + 2)) : own
      }),
    )
    return Math.max(0, instead - sum(without(were, are).map(({ buffers }) => buffers)))
  })
  return sum(byTable)
}

/** Those of the one list that the other does not have as often. */
function without(nodes: readonly PlanNode[], others: readonly PlanNode[]): PlanNode[] {
  const left = others.map(way)
  return nodes.filter(node => {
    const at = left.indexOf(way(node))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

function way({ type, index }: PlanNode): string {
  return `${type} ${index}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
