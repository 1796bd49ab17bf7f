/** Limits the new sessions that replace those which cancelled executions have cost. Knows no pg. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Milliseconds } from '../../model/terms.ts'

export interface ReconnectLimit {
  /** An execution was cancelled, and its session had to be destroyed. */
  destroyed(): void
  /**
   * Resolves when a session may be made: at once, unless it replaces a destroyed one.
   * @param isNeeded whether a session still has to be made
   * @throws the signal's reason
   */
  admit(signal: AbortSignal, isNeeded: () => boolean): Promise<void>
}

/** Two new sessions a second, as after an outage. */
const EVERY_MS: Milliseconds = 500
/** A session that was not replaced for so long is not missed. */
const FORGET_MS: Milliseconds = 10_000

export function createReconnectLimit(now: Clock = () => performance.now()): ReconnectLimit {
  let missing = 0
  let destroyedAt = Number.NEGATIVE_INFINITY
  let nextAt = Number.NEGATIVE_INFINITY

  const isLimited = (): boolean => missing > 0 && now() - destroyedAt < FORGET_MS

  return {
    destroyed() {
      if (!isLimited()) missing = 0
      missing += 1
      destroyedAt = now()
    },
    async admit(signal, isNeeded) {
      while (isNeeded() && isLimited() && now() < nextAt) {
        await sleep(nextAt - now(), undefined, { signal }).catch(() => signal.throwIfAborted())
      }
      if (!isNeeded() || !isLimited()) return
      missing -= 1
      nextAt = now() + EVERY_MS
    },
  }
}
