// What every measurement is handed, and the rows that it makes of one table.
import type { Watchdog } from '../../src/demo/watchdog.ts'
import type { ProductDatabase } from './product.ts'

export interface Bench {
  /** Fewer and shorter rounds. */
  readonly quick: boolean
  readonly product: ProductDatabase
  /** By others, before the run. */
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

/** In the row's unit. */
export type Target = { readonly atLeast: number } | { readonly atMost: number }

export type Figures = Readonly<Record<string, number>>

export interface Row {
  /** As the table says it: `full hit against bare Koa`. */
  readonly name: string
  /** Undefined where it could not be had; `note` says why. */
  readonly value: number | undefined
  /** x is a ratio of medians of interleaved rounds of one run. */
  readonly unit: 'x' | 'MiB' | 'ms' | 's'
  /** Of single rounds. */
  readonly spread?: readonly [low: number, high: number]
  readonly target?: Target
  /** Why the row has no verdict: its baseline wavers, or the machine was busy. */
  readonly void?: string | undefined
  /** Why the measurement broke off: a wrong response, a crash. Such a row falls short. */
  readonly broke?: string
  /** The figures behind it: `{ 'bare Koa, req/s': 54000 }`. */
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
