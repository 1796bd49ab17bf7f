// What a benchmark says: rows of one table, by groups. Knows nothing of how anything is measured.
import type { Bench } from './bench.ts'

/** In the row's unit. */
export type Target = { readonly atLeast: number } | { readonly atMost: number }

export interface Row {
  /** As the table says it: `full hit against bare Koa`. */
  readonly name: string
  /** Undefined where it could not be had; `note` says why. */
  readonly value: number | undefined
  /** x is a ratio of medians of interleaved rounds of one run. */
  readonly unit: 'x' | 'MiB' | 'ms' | 's'
  /** Of the ratio, round by round. */
  readonly spread?: readonly [low: number, high: number]
  readonly target?: Target
  /** A baseline that wavers, or one that was not what was measured, makes the row void: no verdict, and why. */
  readonly void?: string
  /** Why the measurement broke off: a wrong answer, a crash. Such a row falls short. */
  readonly broke?: string
  /** The figures behind it: `{ 'bare Koa, req/s': 54000 }`. */
  readonly figures: Readonly<Record<string, number>>
  readonly note?: string
}

export interface Group {
  /** `make bench ONLY=hits` */
  readonly name: string
  rows(bench: Bench): Promise<readonly Row[]>
}
