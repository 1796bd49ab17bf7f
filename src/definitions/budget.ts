/** Limits for a definition's plan, in units that do not depend on the machine. */
import type { Bytes } from '../model/terms.ts'
import type { BudgetMatter } from './schemas.ts'
import { sizeBytes } from '../model/quantity.ts'

export interface Budget {
  /** Buffers, hit or read, per thousand rows that table scans read. */
  readonly buffersPerThousandRows: number
  /** The largest table that a sequential scan may read; Infinity for any. */
  readonly seqScanMaxBytes: Bytes
  /** Temporary files; 0 for none. */
  readonly spillMaxBytes: Bytes
}

export const BUDGET_DEFAULTS = { seqScan: '1MiB', spill: 'none' } as const

/** @param matter that its schema has validated */
export function budgetOf(matter: BudgetMatter): Budget {
  const { seqScan = BUDGET_DEFAULTS.seqScan, spill = BUDGET_DEFAULTS.spill } = matter
  return {
    buffersPerThousandRows: matter.buffersPerThousandRows,
    seqScanMaxBytes: seqScan === 'any' ? Infinity : sizeBytes(seqScan),
    spillMaxBytes: spill === 'none' ? 0 : sizeBytes(spill),
  }
}
