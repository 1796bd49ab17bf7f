/** Lets at most two loads write files at a time. */
import type { Stop } from '../../model/stop.ts'

/** why: writing and hashing occupy libuv's threads and the disk, which other requests need */
const MAX_WRITERS = 2

export interface WriteTurns {
  /** Waits until a file could be written. why: a load that will need one must not wait while it holds a slot */
  reserve(stop: Stop): Promise<WriteTurn>
  /** For a load that has reserved nothing. */
  unreserved(): WriteTurn
}

export interface WriteTurn {
  /** Waits for the turn; later calls return at once. @throws the reason of the stop */
  begin(stop: Stop): Promise<void>
  /** Also if it never began. Repeated calls are ignored. */
  end(): void
}

export function createWriteTurns(): WriteTurns {
  let reservedCount = 0
  let writerCount = 0
  const waiting: Array<{ readonly mayGo: () => boolean; readonly go: () => void }> = []

  const mayReserve = (): boolean => writerCount + reservedCount < MAX_WRITERS
  // why: if writers waited for those that have reserved, which wait for slots, none would continue
  const mayWrite = (): boolean => writerCount < MAX_WRITERS

  function wake(): void {
    for (const waiter of waiting.slice()) {
      if (!waiter.mayGo()) continue
      waiting.splice(waiting.indexOf(waiter), 1)
      waiter.go()
    }
  }

  /** Calls `enter` as soon as `mayGo`. */
  function wait(mayGo: () => boolean, enter: () => void, stop: Stop): Promise<void> {
    return new Promise((resolve, reject) => {
      const remove = stop.onStop(reason => {
        const at = waiting.indexOf(waiter)
        if (at >= 0) waiting.splice(at, 1)
        reject(reason)
      })
      const go = (): void => {
        remove()
        enter()
        resolve()
      }
      const waiter = { mayGo, go }
      if (stop.reason !== undefined) return
      waiting.push(waiter)
      wake()
    })
  }

  function createTurn(isReserved: boolean): WriteTurn {
    let state: 'idle' | 'reserved' | 'writing' = isReserved ? 'reserved' : 'idle'
    const leave = (): void => {
      if (state === 'reserved') reservedCount -= 1
      if (state === 'writing') writerCount -= 1
      state = 'idle'
    }
    return {
      async begin(stop) {
        if (state === 'writing') return
        const enter = (): void => {
          leave()
          state = 'writing'
          writerCount += 1
        }
        await wait(mayWrite, enter, stop)
      },
      end() {
        leave()
        wake()
      },
    }
  }

  return {
    unreserved: () => createTurn(false),
    async reserve(stop) {
      await wait(mayReserve, () => void (reservedCount += 1), stop)
      return createTurn(true)
    },
  }
}
