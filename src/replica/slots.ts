/** A bounded number of places and a queue of bounded patience in front of them, first come first served. */
import type { Clock, Milliseconds } from '../terms.ts'

export interface Slots {
  /**
   * Waits for a place; the answer frees it.
   * @throws what `onFull` makes, after `maxWaitMs`, or at once where very many wait; the signal's reason, if
   *   it aborts first.
   */
  acquire(signal: AbortSignal): Promise<() => void>
  /** There may be more places than a moment ago. */
  look(): void
  inUse(): number
  waiting(): number
}

const SERVE_EVERY_MS: Milliseconds = 500
/** More than are served in the time that one may wait, but for reports of a few milliseconds. */
const MAX_WAITING = 2000

export function createSlots(options: {
  /** Asked each time; may grow and shrink. */
  readonly max: () => number
  readonly maxWaitMs: Milliseconds
  readonly onFull: (waitedMs: Milliseconds) => Error
  /** Somebody begins to wait, or still does. */
  readonly onWait?: () => void
  readonly now: Clock
}): Slots {
  const { max, maxWaitMs, onFull, onWait, now } = options
  const queue = new Set<() => void>()
  let inUse = 0
  let serving: NodeJS.Timeout | undefined

  /** Who has waited longest comes first. */
  function serve(): void {
    for (const next of queue) {
      if (inUse >= max()) return
      next()
    }
  }

  function look(): void {
    serve()
    if (queue.size > 0) onWait?.()
  }

  function join(admitted: () => void): void {
    queue.add(admitted)
    onWait?.()
    // why: places may grow with time alone, and nobody give one back
    serving ??= setInterval(look, SERVE_EVERY_MS)
  }

  function quit(admitted: () => void): void {
    queue.delete(admitted)
    if (queue.size > 0) return
    clearInterval(serving)
    serving = undefined
  }

  function take(): () => void {
    inUse += 1
    let taken = true
    return () => {
      if (!taken) return
      taken = false
      inUse -= 1
      serve()
    }
  }

  return {
    look,
    inUse: () => inUse,
    waiting: () => queue.size,
    acquire: signal =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error)
        serve()
        if (inUse < max()) return resolve(take())
        if (queue.size >= MAX_WAITING) return reject(onFull(0))
        const startedAt = now()
        const leave = (): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', aborted)
          quit(admitted)
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
        join(admitted)
      }),
  }
}
