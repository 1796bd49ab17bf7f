/** Flags of V8 that differ between the start of a gateway and its service. Imports little: it is loaded before all else. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import type { Bytes, Milliseconds } from '../../model/terms.ts'
import { isEncoding } from '../report/turns.ts'

/** Size of both halves of the young generation. */
const EXPORT_BYTES: Bytes = 2 * 4 * 2 ** 20
const PERIOD_MS: Milliseconds = 50
/** An export waits less for its next rows. */
const EXPORT_MS: Milliseconds = 500

/**
 * While the gateway starts, its young generation does not grow, and nothing is optimized, since most code is executed
 * once. Idle memory 125 -> 92 MiB at the same CPU (2026-11-26), CPU until it listens 0.59 -> 0.50 s (2026-11-28, Node 20.20).
 */
export function tuneForStart(): void {
  allowGrowth(false)
  setFlagsFromString('--no-opt')
}

/**
 * Then the young generation grows as V8 wants, but in exports only to about `EXPORT_BYTES`: a burst of one period
 * may double it more than once. A million rows as XLSX and Parquet: 26 and 34 -> 16 and 25 MiB over idle (2026-11-26, Node
 * 20.20).
 */
export function tuneForServing(): void {
  setFlagsFromString('--opt')
  setInterval(() => {
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    allowGrowth(!isEncoding(EXPORT_MS) || (space !== undefined && space.space_size < EXPORT_BYTES))
  }, PERIOD_MS).unref()
}

function allowGrowth(isAllowed: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${isAllowed ? 2 : 1}`)
}
