/** How long an organization's next execution would wait for its own ones. Knows only numbers. */
import type { Milliseconds } from '../terms.ts'

/**
 * @param remaining of its executions now
 * @param queued in the order of service
 * @param slots that it may hold, at least 1
 */
export function expectedWait(
  remaining: readonly Milliseconds[],
  queued: readonly Milliseconds[],
  slots: number,
): Milliseconds {
  // why: of executions beyond its share, the first to end free no slot for it
  const busyUntil = remaining.toSorted((a, b) => a - b).slice(-slots)
  const freeAt = [...Array.from<number>({ length: slots - busyUntil.length }).fill(0), ...busyUntil]
  for (const cost of queued) freeAt[indexOfLeast(freeAt)]! += cost
  return freeAt[indexOfLeast(freeAt)]!
}

function indexOfLeast(numbers: readonly number[]): number {
  let least = 0
  for (let at = 1; at < numbers.length; at += 1) if (numbers[at]! < numbers[least]!) least = at
  return least
}
