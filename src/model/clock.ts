/** The clock of the real world, handed to everything that asks for one. */
import type { Clock, Milliseconds } from './terms.ts'

const MAX_DRIFT_MS: Milliseconds = 20
/** Asking for the wall clock costs as much again. */
const LOOK_EVERY_MS: Milliseconds = 5
/** A wall clock that is set is followed at this part of the time that passes, so that durations stay near the truth. */
const SLEW = 0.1
/** So far off, it is another time that matters: of a machine that slept, or had no clock until now. */
const STEP_MS: Milliseconds = 5 * 60_000

/**
 * Wall-clock milliseconds with the resolution of the monotonic clock, so that one clock serves both
 * for instants and for durations below a millisecond. It never goes back, but for a step of minutes.
 */
export function createSystemClock(
  wall: Clock = Date.now,
  monotonic: Clock = () => performance.now(),
): Clock {
  let lookedAtMs = monotonic()
  let lastMs = Number.NEGATIVE_INFINITY
  let originMs = wall() - lookedAtMs
  /** How far off the last look was, where that was a step. */
  let stepMs = 0
  return () => {
    const monotonicMs = monotonic()
    const passedMs = monotonicMs - lookedAtMs
    if (passedMs < LOOK_EVERY_MS) return (lastMs = Math.max(lastMs, originMs + monotonicMs))
    lookedAtMs = monotonicMs
    const driftMs = wall() - originMs - monotonicMs
    const distanceMs = Math.abs(driftMs)
    if (!(distanceMs <= STEP_MS)) {
      // why: one look may be wrong, or no number; another time is one that the next look finds, too
      if (Math.abs(driftMs - stepMs) <= MAX_DRIFT_MS) {
        originMs += driftMs
        lastMs = Number.NEGATIVE_INFINITY
      }
      stepMs = driftMs
    } else if (distanceMs > MAX_DRIFT_MS) {
      originMs += Math.sign(driftMs) * Math.min(distanceMs, passedMs * SLEW)
    }
    return (lastMs = Math.max(lastMs, originMs + monotonicMs))
  }
}
