/** Estimates the duration and wait of executions from the durations of similar ones. Bounded in memory. */
import { LRUCache } from 'lru-cache'
import type { Milliseconds } from '../../model/terms.ts'

/** Estimate if no similar execution has completed yet. */
const UNKNOWN_MS: Milliseconds = 100
/** Weight of the newest measurement in the average. */
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
    /** @see StatementRequest */
    expect: (definition: string, similarityKey: string): Milliseconds =>
      averages.get(`${definition} ${similarityKey}`) ??
      // why: slow executions of another organization must not cause refusals for this one
      Math.min(UNKNOWN_MS, averages.get(definition) ?? UNKNOWN_MS),
    measured(definition: string, similarityKey: string, durationMs: Milliseconds): void {
      add(`${definition} ${similarityKey}`, durationMs)
      add(definition, durationMs)
    },
  }
}

/** An execution in progress. */
export interface Executing {
  readonly server: unknown
  readonly identity: string
  readonly startedAt: Milliseconds
  readonly expectedMs: Milliseconds
}

/**
 * How long an organization's next execution would wait for others of the same organization.
 * @param ahead in the order of service
 * @param identity of the next execution
 * @param slots slots that the organization may hold, at least 1
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
  // why: identical executions run one after another, even if slots are free
  const identicalMs = [...current, ...queued].reduce(
    (sum, one) => (one.identity === identity ? sum + one.ms : sum),
    0,
  )
  // why: if it exceeds its share, the executions that end first free no slot for it
  const busyUntil = current
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b)
    .slice(-slots)
  const freeAt = [...Array<number>(slots - busyUntil.length).fill(0), ...busyUntil]
  for (const { ms } of queued) freeAt[freeAt.indexOf(Math.min(...freeAt))]! += ms
  return Math.max(identicalMs, Math.min(...freeAt))
}

/** If an execution exceeds its estimate, it is expected to take as long again. */
function remainingMs({ startedAt, expectedMs }: Executing, nowMs: Milliseconds): Milliseconds {
  const elapsedMs = nowMs - startedAt
  return elapsedMs < expectedMs ? expectedMs - elapsedMs : elapsedMs
}
