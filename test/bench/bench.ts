// The environment of a measurement, and the table rows that it returns.
import type { Watchdog } from '../../src/demo/watchdog.ts'
import type { GatewayCommand } from './gateway.ts'
import type { Product } from './product.ts'

/** How long and how much is measured. */
interface Effort {
  readonly rounds: number
  /** Requests of each kind that a server answers before it is measured; fewer of large reports. */
  readonly warmUpCount: number
  /** Factor for the duration of rounds. */
  readonly pace: number
}

export const EFFORTS: Readonly<Record<'full' | 'quick', Effort>> = {
  full: { rounds: 5, warmUpCount: 8000, pace: 1 },
  quick: { rounds: 3, warmUpCount: 1000, pace: 0.5 },
}

/** Connections of a server for reports. */
export const POOL_SIZE = '8'

export interface Bench {
  readonly effort: Effort
  /** The built gateway first, then those that it is compared with. */
  readonly gateways: readonly GatewayCommand[]
  readonly product: Product
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
  /** Name in the table: `hit: requests a second against bare Koa`. */
  readonly name: string
  /** Undefined if it was not measured; `note` has the reason. */
  readonly value: number | undefined
  /** x is a ratio of medians of interleaved rounds of one run. */
  readonly unit: 'x' | 'MiB' | 'ms' | 's'
  /** Spread of single rounds. */
  readonly spread?: readonly [low: number, high: number]
  readonly target?: Target | undefined
  /** Why the row has no verdict: its baseline varies too much, or the machine was busy. */
  readonly void?: string | undefined
  /** Why the measurement failed: a wrong response, a crash. Such a row misses its target. */
  readonly broke?: string
  /** The underlying figures: `{ 'bare Koa, req/s': 54000 }`. */
  readonly figures: Figures
  readonly note?: string
}
