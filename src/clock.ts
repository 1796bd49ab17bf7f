/** The clock of the real world, handed to everything that asks for one. */
import type { Clock } from './terms.ts'

const MAX_DRIFT_MS = 20
/** Asking for the wall clock costs as much again. */
const LOOK_EVERY_MS = 5

/**
 * Wall-clock milliseconds with the resolution of the monotonic clock, so that one clock serves both
 * for instants and for durations below a millisecond. It follows the wall clock where that is set.
 */
export function createSystemClock(): Clock {
  let originMs = Date.now() - performance.now()
  let lookAtMs = 0
  return () => {
    const monotonicMs = performance.now()
    if (monotonicMs < lookAtMs) return originMs + monotonicMs
    lookAtMs = monotonicMs + LOOK_EVERY_MS
    const wallMs = Date.now()
    if (Math.abs(originMs + monotonicMs - wallMs) > MAX_DRIFT_MS) originMs = wallMs - monotonicMs
    return originMs + monotonicMs
  }
}
