/** How many connections a server has room for, as far as its refusals tell. Knows no pg. */
import type { Clock, Milliseconds } from '../terms.ts'

export interface Room {
  /** It refused a connection, because it has no more for us. */
  refused(): void
  /** How many of so many runs may be under way at once. */
  places(max: number): number
}

/** One place more is tried every so often: sessions of others end, and limits are raised. */
const PLACE_EVERY_MS: Milliseconds = 5000

export function createRoom(options: {
  /** Connections that there are. */
  readonly connected: () => number
  readonly now: Clock
}): Room {
  const { connected, now } = options
  let refusedAt = Number.NEGATIVE_INFINITY
  return {
    refused() {
      refusedAt = now()
    },
    places(max) {
      const tried = Math.floor((now() - refusedAt) / PLACE_EVERY_MS)
      return Math.min(max, Math.max(1, connected()) + tried)
    },
  }
}
