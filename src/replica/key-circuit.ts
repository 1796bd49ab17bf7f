/**
 * Whether a database of keys is asked. Where the way to it is broken nobody waits for it: it is tried
 * beside the requests until it answers. Knows nothing of pg.
 */
import type { Milliseconds } from '../terms.ts'

export interface KeyCircuit {
  /** Why it is not asked now; undefined while it is. */
  away(): unknown
  failed(error: unknown): void
  answered(): void
  close(): void
}

// why: one connection may break by itself
const FAILURES_TO_OPEN = 2
const SHORTEST_WAIT_MS: Milliseconds = 500
const MORE_WAIT_MS: Milliseconds = 250

export function createKeyCircuit(options: {
  /** Connects and asks. @throws where that cannot be done. */
  readonly tryIt: () => Promise<void>
  /** From 0 to 1. */
  readonly random: () => number
}): KeyCircuit {
  let failures = 0
  let away: unknown
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function tryLater(): void {
    if (closed) return
    timer = setTimeout(() => void attempt(), SHORTEST_WAIT_MS + options.random() * MORE_WAIT_MS)
  }

  async function attempt(): Promise<void> {
    try {
      await options.tryIt()
      failures = 0
      away = undefined
    } catch (error) {
      away = error
      tryLater()
    }
  }

  return {
    away: () => away,
    failed(error) {
      failures += 1
      if (failures < FAILURES_TO_OPEN || away !== undefined) return
      away = error
      tryLater()
    },
    answered() {
      failures = 0
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
