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
  /** Rows of the reports that are measured cold, besides one of a few rows. */
  readonly coldRowCounts: readonly [small: number, large: number]
  /** Rows of the report that is larger than a cached one. */
  readonly wholeRowCount: number
  readonly settleMs: number
  /** Whether all contenders of a round are measured at once, which is faster and gives no figures. */
  readonly isConcurrent?: true
  /** Connections of a server for reports. */
  readonly poolSize: number
}

const FULL: Effort = {
  rounds: 5,
  warmUpCount: 8000,
  pace: 1,
  coldRowCounts: [100, 10_000],
  wholeRowCount: 200_000,
  settleMs: 2000,
  poolSize: 8,
}

export const EFFORTS = {
  full: FULL,
  quick: { ...FULL, rounds: 3, warmUpCount: 1000, pace: 0.5 },
  /** For a test that everything works: its figures mean nothing. */
  smoke: {
    rounds: 1,
    warmUpCount: 0,
    pace: 0,
    coldRowCounts: [10, 100],
    wholeRowCount: 1000,
    settleMs: 0,
    isConcurrent: true,
    // Several groups run at once, and the role's connection limit is 40.
    poolSize: 2,
  },
} as const satisfies Readonly<Record<string, Effort>>

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
