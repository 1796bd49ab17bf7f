/** How long an organization's next execution would wait for its own ones. Knows no clock. */
import type { Milliseconds } from '../../model/terms.ts'
import type { Executing } from './organization-loads.ts'

/**
 * @param ahead in the order of service
 * @param identity of the next one
 * @param slots that the organization may hold, at least 1
 */
export function expectedWait(
  executing: Iterable<Executing>,
  ahead: ReadonlyArray<{
    readonly request: { readonly identity: string }
    readonly costMs: Milliseconds
  }>,
  identity: string,
  slots: number,
  nowMs: Milliseconds,
): Milliseconds {
  const current = Array.from(executing, one => ({
    isIdentical: one.identity === identity,
    ms: remainingMs(one, nowMs),
  }))
  const queued = ahead.map(({ request, costMs }) => ({
    isIdentical: request.identity === identity,
    ms: costMs,
  }))
  // why: identical executions follow one another, whatever slots are free
  const identicalMs = [...current, ...queued].reduce(
    (sum, one) => (one.isIdentical ? sum + one.ms : sum),
    0,
  )
  return Math.max(
    identicalMs,
    waitForSlot(
      current.map(one => one.ms),
      queued.map(one => one.ms),
      slots,
    ),
  )
}

/** What takes longer than expected takes as long again. */
function remainingMs({ startedAt, expectedMs }: Executing, nowMs: Milliseconds): Milliseconds {
  const elapsedMs = nowMs - startedAt
  return elapsedMs < expectedMs ? expectedMs - elapsedMs : elapsedMs
}

function waitForSlot(
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
