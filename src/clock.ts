/** The clock of the real world, handed to everything that asks for one. */
import type { Clock } from './terms.ts'

const MAX_DRIFT_MS = 20

/**
 * Wall-clock milliseconds with the resolution of the monotonic clock, so that one clock serves both
 * for instants and for durations below a millisecond. It follows the wall clock where that is set.
 */
export function createSystemClock(): Clock {
  let originMs = Date.now() - performance.now()
  return () => {
    const wallMs = Date.now()
    const nowMs = originMs + performance.now()
    if (Math.abs(nowMs - wallMs) <= MAX_DRIFT_MS) return nowMs
    originMs = wallMs - performance.now()
    return wallMs
  }
}
