/** The most rows of one execution of each definition, in the last 5 to 10 minutes. */
import type { Clock, Milliseconds } from '../../model/terms.ts'

export type LargestRows = ReturnType<typeof createLargestRows>

const SLICE_MS: Milliseconds = 5 * 60_000

export function createLargestRows(now: Clock) {
  let slice = 0
  let current = new Map<string, number>()
  let previous = new Map<string, number>()

  function advance(): void {
    const at = Math.floor(now() / SLICE_MS)
    if (at === slice) return
    previous = at === slice + 1 ? current : new Map()
    current = new Map()
    slice = at
  }

  return {
    /** @param name `Definition.name` */
    note(name: string, rowCount: number): void {
      advance()
      current.set(name, Math.max(rowCount, current.get(name) ?? 0))
    },
    /** 0 without an execution. */
    of(name: string): number {
      advance()
      return Math.max(current.get(name) ?? 0, previous.get(name) ?? 0)
    },
  }
}
