// What every group is handed: the product's database, a place for files, and an end at which all is closed.
import type { Watchdog } from '../../src/demo/watchdog.ts'
import type { ProductDatabase } from './product.ts'

export interface Bench {
  /** Fewer and shorter rounds, and the subset of `make bench-quick`. */
  readonly quick: boolean
  readonly product: ProductDatabase
  /** That others kept busy before the run. */
  readonly busyCoresBefore: number
  /** Temporary, gone at the end; others may pass through it. */
  readonly folder: string
  /** Children started by it do not outlive the run, however it ends. */
  readonly watchdog: Watchdog
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** A line on stderr. */
  progress(words: string): void
  /** Closed in reverse order, whatever happens. */
  onEnd(close: () => Promise<void> | void): void
}

/** The environment lacks something that a measurement needs: its rows are not to be had. */
export class Missing extends Error {}
