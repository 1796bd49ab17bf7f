/** How many connections a server has room for, as far as its refusals tell. Knows no pg. */
import type { Clock, Milliseconds } from '../../model/terms.ts'

export interface Room {
  /** It refused a connection, because it has no more for us. */
  refused(): void
  /** How many of so many runs may be under way at once. */
  places(max: number): number
  /** Somebody waits for a place: one connection more is tried, now and then. */
  wanted(): void
}

const FIRST_WAIT_MS: Milliseconds = 500
const LONGEST_WAIT_MS: Milliseconds = 5000
/** Sessions of others end, and limits are raised: what was refused so long ago tells nothing. */
const FORGET_MS: Milliseconds = 60_000

export function createRoom(options: {
  /** Connections that there are. */
  readonly connected: () => number
  /**
   * Makes one beside the runs, so that none of them pays for a refusal: false is one. @throws where the way there
   * is broken, which others find out
   */
  readonly connect: () => Promise<boolean>
  /** There is one more. */
  readonly onMore: () => void
  readonly now: Clock
}): Room {
  const { connected, connect, onMore, now } = options
  let refusedAt = Number.NEGATIVE_INFINITY
  let waitMs = FIRST_WAIT_MS
  let tryAfter = 0
  let isTrying = false

  const isTight = (): boolean => now() - refusedAt < FORGET_MS

  function refused(): void {
    if (!isTight()) waitMs = FIRST_WAIT_MS
    refusedAt = now()
    tryAfter = Math.max(tryAfter, refusedAt + waitMs)
  }

  async function tryOne(): Promise<void> {
    isTrying = true
    const before = connected()
    const isRefused = await connect().then(
      isMade => !isMade,
      () => false,
    )
    if (isRefused) {
      refusedAt = now()
      waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)
    }
    isTrying = false
    if (connected() > before) {
      waitMs = FIRST_WAIT_MS
      onMore()
    } else tryAfter = now() + waitMs
  }

  return {
    refused,
    places: max => (isTight() ? Math.min(max, Math.max(1, connected())) : max),
    wanted() {
      if (isTight() && !isTrying && now() >= tryAfter) void tryOne()
    },
  }
}
