/**
 * How many more buffers an execution may read when there are ten times as many organizations. Only these:
 * - for each descent of an index, the levels that were added to the index; a nested loop descends once per loop;
 * - for each scan of an index, a leaf at both ends of the organization's range, which neighbours may have split;
 * - if a table was small enough for a sequential scan and an index is used now, the whole descent;
 * - if the plan for a table has changed and the organization has few pages of it, those pages, or the descents of
 *   look-ups, instead of the previous reads.
 */
import type { Plan, PlanNode } from '../../../src/author/plans/plan.ts'

export interface Index {
  readonly table: string
  /** Levels above the leaves, which a descent reads before its leaf. */
  readonly level: number
}

export interface Product {
  readonly indexes: ReadonlyMap<string, Index>
  /** Buffers for all rows of the organization, by table. */
  readonly ownRows: ReadonlyMap<string, number>
}

/** The size of a directory in buffers: for such a table any plan is good. */
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

/** Levels of that index if it was read, else of other indexes of its table; -1 for a sequential scan. */
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
        // A look-up reads levels, a leaf, and the row.
        return loops > 1 ? Math.max(own, loops * (level + 2)) : own
      }),
    )
    return Math.max(0, instead - sum(without(were, are).map(({ buffers }) => buffers)))
  })
  return sum(byTable)
}

/** The multiset difference. */
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
