/** Lets at most two loads write files at a time. */
import { throwIfStopped, unlessStopped } from '../../model/stop.ts'
import type { Stop } from '../../model/stop.ts'

/** why: writing and hashing occupy libuv's threads and the disk, which other requests need */
const MAX_WRITERS = 2

export type WriteTurns = ReturnType<typeof createWriteTurns>

export interface WriteTurn {
  /** Waits for the turn; later calls return at once. @throws the reason of the stop */
  begin(stop: Stop): Promise<void>
  /** Also if it never began. Repeated calls are ignored. */
  end(): void
}

export function createWriteTurns() {
  const counts = { idle: 0, reserved: 0, writing: 0 }
  let wakeUps: Array<() => void> = []

  /** Calls `enter` as soon as `mayEnter`, in the order of the calls. */
  async function wait(mayEnter: () => boolean, enter: () => void, stop: Stop): Promise<void> {
    while (!mayEnter())
      await unlessStopped(new Promise<void>(resolve => void wakeUps.push(resolve)), stop)
    enter()
  }

  function createTurn(): WriteTurn & { become(state: keyof typeof counts): void } {
    let state: keyof typeof counts = 'idle'
    let hasEnded = false
    const mayEnter = (): boolean => hasEnded || mayWrite()
    const turn = {
      become(next: keyof typeof counts): void {
        counts[state] -= 1
        counts[next] += 1
        state = next
      },
      async begin(stop: Stop) {
        throwIfStopped(stop)
        if (state !== 'writing') await wait(mayEnter, () => turn.enter(), stop)
      },
      enter(): void {
        // why: an abandoned encoding of a load that has ended may still wait, and its turn would never end
        if (hasEnded) throw new Error('the load has ended')
        turn.become('writing')
      },
      end() {
        hasEnded = true
        turn.become('idle')
        const woken = wakeUps
        wakeUps = []
        for (const wakeUp of woken) wakeUp()
      },
    }
    return turn
  }

  // why: if writers waited for those that have reserved, which wait for slots, none would continue
  const mayWrite = (): boolean => counts.writing < MAX_WRITERS
  const mayReserve = (): boolean => counts.writing + counts.reserved < MAX_WRITERS

  return {
    /** For a load that has reserved nothing. */
    unreserved: (): WriteTurn => createTurn(),
    /** Waits until a file could be written. why: a load that will need one must not wait while it holds a slot */
    async reserve(stop: Stop): Promise<WriteTurn> {
      const turn = createTurn()
      await wait(mayReserve, () => turn.become('reserved'), stop)
      return turn
    },
  }
}
