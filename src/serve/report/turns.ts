/** Turns of what must not happen too often at a time: the first to wait is the first to begin. */

import { throwIfStopped, type Stop } from '../../model/stop.ts'

export type Turns = ReturnType<typeof createTurns>

/** @param count of those that have a turn at a time */
export function createTurns(count: number) {
  /** In the order of their calls. */
  const waiting = new Set<() => void>()
  let free = count

  async function begin(stop?: Stop): Promise<void> {
    if (stop) throwIfStopped(stop)
    if (free === 0)
      return new Promise((resolve, reject) => {
        waiting.add(resolve)
        stop?.onStop(reason => void (waiting.delete(resolve) && reject(reason)))
      })
    free -= 1
  }

  function end(): void {
    for (const next of waiting) {
      waiting.delete(next)
      return next()
    }
    free += 1
  }

  return {
    /** Waits for a turn, which lasts until `end` is called. @throws the reason of the stop, without a turn */
    begin,
    end,
    /** Calls `work` in a turn. @returns its result @throws as `begin` */
    async during<T>(work: () => Promise<T>, stop?: Stop): Promise<T> {
      await begin(stop)
      try {
        return await work()
      } finally {
        end()
      }
    },
  }
}

/*
 * A process has four threads of libuv, and looking up names and connecting need them, too: bodies occupy at most three,
 * so that neither a slow disk nor a long compression delays another request.
 */

/** Of the spool folder. */
export const readTurns = createTurns(1)
/** For writing, creating and closing files of the spool folder. */
export const writeTurns = createTurns(1)
/** why: four compressions at once stalled the event loop for 55 to 74 ms, one for 16 to 21: they compete for cores */
export const compressionTurns = createTurns(1)
