/** How long executions are expected to take and to wait, by how long those like them took. Bounded in memory. */
import { LRUCache } from 'lru-cache'
import type { Milliseconds } from '../../model/terms.ts'

/** Of an execution that is like none before. */
const UNKNOWN_MS: Milliseconds = 100
/** Part that the newest measurement has in the average. */
const NEWEST = 0.3
/** Some 100 bytes each. */
const MAX_KINDS = 20_000

export function createExecutionCosts() {
  const averages = new LRUCache<string, Milliseconds>({ max: MAX_KINDS })

  function add(key: string, durationMs: Milliseconds): void {
    const before = averages.get(key) ?? durationMs
    averages.set(key, before + NEWEST * (durationMs - before))
  }

  return {
    /** @param alike equal for executions that read about as much @see ReplicaRun */
    expect: (definition: string, alike: string): Milliseconds =>
      averages.get(`${definition} ${alike}`) ??
      // why: slow executions of another organization must not make those of this one too long to wait for
      Math.min(UNKNOWN_MS, averages.get(definition) ?? UNKNOWN_MS),
    measured(definition: string, alike: string, durationMs: Milliseconds): void {
      add(`${definition} ${alike}`, durationMs)
      add(definition, durationMs)
    },
  }
}

/** One that executes now. */
export interface Executing {
  readonly server: unknown
  readonly identity: string
  readonly startedAt: Milliseconds
  readonly expectedMs: Milliseconds
}

/**
 * How long an organization's next execution would wait for its own ones.
 * @param ahead in the order of service
 * @param identity of the next one
 * @param slots that the organization may hold, at least 1
 */
export function expectedWait(
  executing: readonly Executing[],
  ahead: ReadonlyArray<{
    readonly request: { readonly identity: string }
    readonly costMs: Milliseconds
  }>,
  identity: string,
  slots: number,
  nowMs: Milliseconds,
): Milliseconds {
  const current = executing.map(one => ({ identity: one.identity, ms: remainingMs(one, nowMs) }))
  const queued = ahead.map(({ request, costMs }) => ({ identity: request.identity, ms: costMs }))
  // why: identical executions follow one another, whatever slots are free
  const identicalMs = [...current, ...queued].reduce(
    (sum, one) => (one.identity === identity ? sum + one.ms : sum),
    0,
  )
  // why: of executions beyond its share, the first to end free no slot for it
  const busyUntil = current
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b)
    .slice(-slots)
  const freeAt = [...Array<number>(slots - busyUntil.length).fill(0), ...busyUntil]
  for (const { ms } of queued) freeAt[freeAt.indexOf(Math.min(...freeAt))]! += ms
  return Math.max(identicalMs, Math.min(...freeAt))
}

/** What takes longer than expected takes as long again. */
function remainingMs({ startedAt, expectedMs }: Executing, nowMs: Milliseconds): Milliseconds {
  const elapsedMs = nowMs - startedAt
  return elapsedMs < expectedMs ? expectedMs - elapsedMs : elapsedMs
}
