// The environment of a measurement, and the table rows that it returns.
import type { Watchdog } from '../../src/demo/watchdog.ts'
import type { ProductDatabase } from './product.ts'

export interface Bench {
  /** Fewer and shorter rounds. */
  readonly quick: boolean
  readonly product: ProductDatabase
  /** Cores that other processes used before the run. */
  readonly busyCoresBefore: number
  /** Temporary, removed at the end; other users can traverse it. */
  readonly folder: string
  /** Its child processes end with the run. */
  readonly watchdog: Watchdog
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Prints a line on stderr. */
  progress(words: string): void
  /** Closed in reverse order at the end. */
  onEnd(close: () => Promise<void> | void): void
}

/** The machine lacks what a measurement requires. */
export class Missing extends Error {}

/** In the row's unit. */
export type Target = { readonly atLeast: number } | { readonly atMost: number }

export type Figures = Readonly<Record<string, number>>

export interface Row {
  /** Name in the table: `full hit against bare Koa`. */
  readonly name: string
  /** Undefined if it was not measured; `note` has the reason. */
  readonly value: number | undefined
  /** x is a ratio of medians of interleaved rounds of one run. */
  readonly unit: 'x' | 'MiB' | 'ms' | 's'
  /** Spread of single rounds. */
  readonly spread?: readonly [low: number, high: number]
  readonly target?: Target
  /** Why the row has no verdict: its baseline varies too much, or the machine was busy. */
  readonly void?: string | undefined
  /** Why the measurement failed: a wrong response, a crash. Such a row misses its target. */
  readonly broke?: string
  /** The underlying figures: `{ 'bare Koa, req/s': 54000 }`. */
  readonly figures: Figures
  readonly note?: string
}

export interface Measurement {
  /** `make bench ONLY=hits` */
  readonly group: string
  readonly name: string
  /** Not in `make bench-quick`. */
  readonly isLong?: boolean
  readonly rows: (bench: Bench) => Promise<readonly Row[]>
}
