/** Lets at most two loads write files at a time. */
import { throwIfStopped, unlessStopped } from '../../model/stop.ts'
import type { Stop } from '../../model/stop.ts'

/** why: writing and hashing occupy libuv's threads and the disk, which other requests need */
const MAX_WRITERS = 2

type State = 'idle' | 'reserved' | 'writing'

export type WriteTurn = ReturnType<ReturnType<typeof createWriteTurns>>

/** @returns a function that creates the turn of a load */
export function createWriteTurns() {
  const counts = { idle: 0, reserved: 0, writing: 0 }
  let wakeUps: Array<() => void> = []

  return () => {
    let state: State = 'idle'

    function become(next: State): void {
      counts[state] -= 1
      counts[next] += 1
      state = next
    }

    /** Waits in the order of the calls. @throws the reason of the stop */
    async function enter(next: State, stop: Stop): Promise<void> {
      for (;;) {
        throwIfStopped(stop)
        // why: if writers waited for those that have reserved, which wait for slots, none would continue
        const count = counts.writing + (next === 'writing' ? 0 : counts.reserved)
        if (count < MAX_WRITERS) return become(next)
        await unlessStopped(new Promise<void>(resolve => void wakeUps.push(resolve)), stop)
      }
    }

    return {
      /** Waits until a file could be written. why: a load that will need one must not wait while it holds a slot */
      reserve: (stop: Stop): Promise<void> => enter('reserved', stop),
      /** Waits for the turn; later calls return at once. */
      async begin(stop: Stop): Promise<void> {
        if (state !== 'writing') await enter('writing', stop)
      },
      /** Also if it never began. Those that still wait must be stopped before. */
      end(): void {
        become('idle')
        const woken = wakeUps
        wakeUps = []
        for (const wakeUp of woken) wakeUp()
      },
    }
  }
}
