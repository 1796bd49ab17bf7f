/** Keeps a line that would come a thousand times down to the first, then one with a count now and then. */
import type { Clock, Milliseconds } from '../terms.ts'

const EVERY_MS: Milliseconds = 30_000
/** Keys are codes and messages of errors: few, but not ours. */
const MAX_KEYS = 100

export interface Repeats {
  /** Whether to write the line now, and how many like it were left out since the last one. */
  note(key: string): { readonly write: boolean; readonly omitted: number }
  /** Makes every key begin anew. */
  reset(): void
}

export function createRepeats(now: Clock): Repeats {
  const seen = new Map<string, { writtenAt: Milliseconds; omitted: number }>()
  return {
    note(key) {
      const at = now()
      const entry = seen.get(key)
      if (entry !== undefined && at - entry.writtenAt < EVERY_MS) {
        entry.omitted += 1
        return { write: false, omitted: 0 }
      }
      if (seen.size >= MAX_KEYS) seen.clear()
      seen.set(key, { writtenAt: at, omitted: 0 })
      return { write: true, omitted: entry?.omitted ?? 0 }
    },
    reset() {
      seen.clear()
    },
  }
}
