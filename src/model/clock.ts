/** The system clock of the process. */
import type { Clock, Milliseconds } from './terms.ts'

const MAX_DRIFT_MS: Milliseconds = 20
/** Least time between two readings of the wall clock: each costs as much as one of the monotonic clock. */
const CHECK_EVERY_MS: Milliseconds = 5
/** Drift is corrected by at most this fraction of the elapsed time, so that durations stay nearly exact. */
const MAX_SLEW = 0.1
/** A larger drift is a step: the machine slept, or its clock was set. */
const STEP_MS: Milliseconds = 5 * 60_000

/**
 * Wall-clock milliseconds with the resolution of the monotonic clock, so that one clock serves both
 * for instants and for durations below a millisecond. It never goes backwards, except by a step.
 */
export function createSystemClock(
  wall: Clock = Date.now,
  monotonic: Clock = () => performance.now(),
): Clock {
  let checkedAtMs = monotonic()
  let lastMs = Number.NEGATIVE_INFINITY
  let originMs = wall() - checkedAtMs
  /** The drift of the last check, if it was a step that was not applied; else 0. */
  let stepMs = 0
  return () => {
    const monotonicMs = monotonic()
    const elapsedMs = monotonicMs - checkedAtMs
    if (elapsedMs < CHECK_EVERY_MS) return (lastMs = Math.max(lastMs, originMs + monotonicMs))
    checkedAtMs = monotonicMs
    const driftMs = wall() - originMs - monotonicMs
    const absoluteDriftMs = Math.abs(driftMs)
    if (!(absoluteDriftMs <= STEP_MS)) {
      // why: one reading may be wrong or NaN; a step is applied when two checks agree on it
      if (Math.abs(driftMs - stepMs) <= MAX_DRIFT_MS) {
        originMs += driftMs
        lastMs = Number.NEGATIVE_INFINITY
        stepMs = 0
      } else stepMs = driftMs
    } else {
      stepMs = 0
      if (absoluteDriftMs > MAX_DRIFT_MS) {
        originMs += Math.sign(driftMs) * Math.min(absoluteDriftMs, elapsedMs * MAX_SLEW)
      }
    }
    return (lastMs = Math.max(lastMs, originMs + monotonicMs))
  }
}
