/** A bounded number of places and a queue of bounded patience in front of them, first come first served. */
import type { Clock, Milliseconds } from '../terms.ts'

export interface Slots {
  /**
   * Waits for a place; the answer frees it.
   * @throws what `onFull` makes, after `maxWaitMs`; the signal's reason, if it aborts first.
   */
  acquire(signal: AbortSignal): Promise<() => void>
  inUse(): number
  waiting(): number
}

export function createSlots(options: {
  /** Asked each time; may grow and shrink. */
  readonly max: () => number
  readonly maxWaitMs: Milliseconds
  readonly onFull: (waitedMs: Milliseconds) => Error
  readonly now: Clock
}): Slots {
  const { max, maxWaitMs, onFull, now } = options
  const queue = new Set<() => void>()
  let inUse = 0

  function take(): () => void {
    inUse += 1
    let taken = true
    return () => {
      if (!taken) return
      taken = false
      inUse -= 1
      for (const next of queue) {
        if (inUse >= max()) return
        next()
      }
    }
  }

  return {
    inUse: () => inUse,
    waiting: () => queue.size,
    acquire: signal =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error)
        if (inUse < max()) return resolve(take())
        const startedAt = now()
        const leave = (): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', aborted)
          queue.delete(admitted)
        }
        const admitted = (): void => {
          leave()
          resolve(take())
        }
        const aborted = (): void => {
          leave()
          reject(signal.reason as Error)
        }
        const timer = setTimeout(() => {
          leave()
          reject(onFull(now() - startedAt))
        }, maxWaitMs)
        signal.addEventListener('abort', aborted)
        queue.add(admitted)
      }),
  }
}
