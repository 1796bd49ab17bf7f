/**
 * Whether a database of keys is asked. Where the way to it is broken nobody waits for it: it is tried
 * beside the requests until it answers. Knows nothing of pg.
 */
import type { Milliseconds } from '../../model/terms.ts'

export interface KeyCircuit {
  /** Why it is not asked now; undefined while it is. */
  away(): unknown
  /** It said nothing when it was asked last: others are asked first. */
  isInDoubt(): boolean
  /** @param silent whoever asks next may have to wait as long */
  failed(error: unknown, silent: boolean): void
  /** Its answers could not be used, which asking again does not change. */
  refused(error: unknown): void
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
  /** What connections there are may be as silent. */
  readonly onSilence: () => void
  /** From 0 to 1. */
  readonly random: () => number
}): KeyCircuit {
  let failures = 0
  let away: unknown
  let inDoubt = false
  let trying = false
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function tryLater(): void {
    if (closed) return
    timer = setTimeout(() => void attempt(), SHORTEST_WAIT_MS + options.random() * MORE_WAIT_MS)
  }

  async function attempt(): Promise<void> {
    try {
      await options.tryIt()
      trying = false
      failures = 0
      away = undefined
      inDoubt = false
    } catch (error) {
      away = error
      tryLater()
    }
  }

  return {
    away: () => away,
    isInDoubt: () => inDoubt,
    failed(error, silent) {
      failures += 1
      if (silent && !inDoubt) {
        inDoubt = true
        options.onSilence()
      }
      if (failures >= FAILURES_TO_OPEN) away ??= error
      if (trying || (away === undefined && !inDoubt)) return
      trying = true
      // why: it may have been one connection, and the database be well
      if (away === undefined) void attempt()
      else tryLater()
    },
    refused(error) {
      away ??= error
      if (trying) return
      trying = true
      tryLater()
    },
    answered() {
      failures = 0
      inDoubt = false
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
