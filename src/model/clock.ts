/** Monotonic time on the scale of the wall clock at the start of the process. */
import type { Clock } from './terms.ts'

/** why: a step of the wall clock must not change ages, deadlines and durations */
export const monotonicClock: Clock = () => performance.timeOrigin + performance.now()
