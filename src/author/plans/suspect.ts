/** What a person should look at in a plan: the words that all rules share. */
import type { ColumnReference } from './expressions.ts'
import { below, inputs } from './plan.ts'
import type { Plan, PlanNode } from './plan.ts'

const SUSPECT_KINDS = [
  /** Wrong figures: rows that a join has repeated are added up. */
  'multiplied-sum',
  'sequential-scan',
  'spill',
  'loop',
  'estimate',
  'discarded-rows',
  'heap-fetches',
  'multiplied-rows',
] as const
export type SuspectKind = (typeof SUSPECT_KINDS)[number]

export interface Suspect {
  readonly kind: SuspectKind
  readonly node: PlanNode
  /** A sentence with figures. */
  readonly message: string
  /** Of the run, from 0 to 1: by time or by buffers, whichever is more. */
  readonly share: number
  /** The call in the SQL, where it is one that is wrong. */
  readonly call?: { readonly name: string; readonly columns: readonly ColumnReference[] }
}

export function ownShare(plan: Plan, nodes: readonly PlanNode[]): number {
  const sum = (figure: (node: PlanNode) => number) =>
    nodes.reduce((total, node) => total + figure(node), 0)
  const ofTime = sum(({ ms }) => ms ?? 0) / Math.max(plan.ms, Number.MIN_VALUE)
  const ofBuffers = sum(({ buffers }) => buffers) / Math.max(plan.buffers, 1)
  return Math.min(1, Math.max(ofTime, ofBuffers))
}

/** The node and what feeds it. */
export function shareBelow(plan: Plan, node: PlanNode): number {
  return ownShare(plan, below(node, inputs))
}
