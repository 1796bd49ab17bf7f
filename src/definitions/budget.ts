/** What a definition's plan may cost, in figures that do not depend on the machine. */
import type { Bytes } from '../model/terms.ts'
import type { BudgetMatter } from './schemas.ts'
import { sizeBytes } from './sizes.ts'

export interface Budget {
  /** Pages of tables and indexes, in memory or not, for a thousand rows that scans of tables read. */
  readonly buffersPerThousandRows: number
  /** The largest table that a sequential scan may read; Infinity is any. */
  readonly seqScanMaxBytes: Bytes
  /** Temporary files; 0 is none. */
  readonly spillMaxBytes: Bytes
}

export const BUDGET_DEFAULTS = { seqScan: '1MiB', spill: 'none' } as const

/** Of a matter that its schema has let through. */
export function budgetOf(matter: BudgetMatter): Budget {
  const { seqScan = BUDGET_DEFAULTS.seqScan, spill = BUDGET_DEFAULTS.spill } = matter
  return {
    buffersPerThousandRows: matter.buffersPerThousandRows,
    seqScanMaxBytes: seqScan === 'any' ? Infinity : sizeBytes(seqScan),
    spillMaxBytes: spill === 'none' ? 0 : sizeBytes(spill),
  }
}
