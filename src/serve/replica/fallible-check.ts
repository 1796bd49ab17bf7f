/** A check beside look-ups whose failure is noted, and made again a minute later at the earliest. Knows no SQL. */
import type { Clock, Milliseconds } from '../../model/terms.ts'

export interface FallibleCheck {
  /**
   * Does nothing within a minute after a failure. Resolves once the check has ended, well or not.
   * @param maxMs after which it counts as failed; what it finds later still counts
   * @throws errors that `isFatal`
   */
  run(check: () => Promise<void>, maxMs?: Milliseconds): Promise<void>
  /** Of the last one; undefined if it went well. */
  failure(): string | undefined
}

const AGAIN_MS: Milliseconds = 60_000

export function createFallibleCheck(options: {
  /** Called with the first of failures in a row. */
  readonly onFailure: (error: unknown) => void
  readonly isFatal?: (error: unknown) => boolean
  readonly now: Clock
}): FallibleCheck {
  const { onFailure, isFatal = () => false, now } = options
  let pausedUntil: Milliseconds = -Infinity
  let failure: string | undefined
  return {
    failure: () => failure,
    async run(check, maxMs) {
      if (now() < pausedUntil) return
      const checked = check().then(() => void (failure = undefined))
      try {
        await (maxMs === undefined ? checked : inTime(checked, maxMs))
      } catch (error) {
        if (isFatal(error)) throw error
        pausedUntil = now() + AGAIN_MS
        const isFirst = failure === undefined
        failure = error instanceof Error ? error.message : String(error)
        if (isFirst) onFailure(error)
      }
    },
  }
}

/** @throws what the check throws until then, or that it is late */
async function inTime(checked: Promise<void>, maxMs: Milliseconds): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no result within ${maxMs} ms`)), maxMs)
  })
  try {
    await Promise.race([checked, late])
  } finally {
    clearTimeout(timer)
  }
}
