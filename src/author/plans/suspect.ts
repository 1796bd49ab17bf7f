/** A suspect: a node of a plan that deserves attention. */
import type { Plan, PlanNode } from './plan.ts'
import type { TableSizes } from './table-sizes.ts'

export type SuspectKind =
  /** Wrong figures: an aggregate over rows that a join duplicated. */
  | 'multiplied-sum'
  | 'sequential-scan'
  | 'spill'
  | 'loop'
  | 'estimate'
  | 'discarded-rows'
  | 'heap-fetches'
  | 'multiplied-rows'

export interface Suspect {
  readonly kind: SuspectKind
  readonly node: PlanNode
  /** A sentence with figures. */
  readonly message: string
  /** The share of the execution by time or buffers, from 0 to 1, whichever is larger. */
  readonly share: number
  /** The offset in the statement of the wrong call or of the relation read; undefined if unknown. */
  readonly offset?: number | undefined
}

/** Returns the message with figures if the node is a suspect. */
export type SuspectRule = (node: PlanNode, plan: Plan, sizes: TableSizes) => string | undefined

/** Nodes with fewer rows are not suspects. */
export const MANY_ROWS = 1000
