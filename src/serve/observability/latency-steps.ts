/** Latencies in steps of a tenth, from 0.1 ms to some 800 s: a percentile is at most 10 % too high. */
import type { Milliseconds } from '../../model/terms.ts'

const GROWTH = Math.log(1.1)
const SMALLEST_MS = 0.1

/** How many there are; the last has no end. */
export const LATENCY_STEPS = 168

const UPPER_MS = Float64Array.from({ length: LATENCY_STEPS }, (_, step) => upperMsOf(step))

/** Where to begin looking, by twentieths of a millisecond: what hits and quick misses take. */
const CELLS_PER_MS = 20
const FIRST_STEPS = Uint8Array.from({ length: 1024 }, (_, cell) =>
  UPPER_MS.findIndex(upperMs => upperMs >= cell / CELLS_PER_MS),
)

/** The longest that falls into a step. */
export function upperMsOf(step: number): Milliseconds {
  return SMALLEST_MS * Math.exp(step * GROWTH)
}

/** The first step that ends at this or later. No logarithm: the log asks this for every request. */
export function latencyStep(durationMs: Milliseconds): number {
  // Any number makes a cell whose step is not too far, those below 0 and beyond 32 bits too.
  const cell = (durationMs * CELLS_PER_MS) | 0
  let step = cell >= 0 && cell < FIRST_STEPS.length ? FIRST_STEPS[cell]! : 0
  while (step < LATENCY_STEPS - 1 && durationMs > UPPER_MS[step]!) step += 1
  return step
}
