/** What the cache knows of a value, or of a load that failed. */
import { Problem, type ProblemCode } from '../../model/errors.ts'
import type { Stop } from '../../model/stop.ts'
import type { Bytes, CacheOutcome, Instant, Milliseconds, Seconds } from '../../model/terms.ts'

/** What is asked of the cache. */
export interface CacheRequest {
  /** Equal keys have equal values; includes the organization. */
  readonly key: string
  readonly organization: { readonly id: string }
  readonly definition: {
    readonly name: string
    readonly timeoutMs: Milliseconds
    readonly staleSeconds: Seconds
  }
  readonly freshSeconds: Seconds
  /** The oldest value that the client accepts; 0 for a load that starts after its request. */
  readonly maxAgeSeconds: Seconds
  /** Keys of the same rows in other formats: a load that a client requested makes their older values stale. */
  readonly otherKeys: () => readonly string[]
  /** The client has disconnected, or its deadline has passed. */
  readonly stop: Stop
}

/** The result of a load. */
export interface Cacheable {
  /** Counts the memory that it takes. */
  readonly byteCount: Bytes
  /** The data is at least as new as this; undefined if unknown. */
  readonly dataAsOf?: Instant | undefined
  /** Whether the value has been deleted: it is loaded again. */
  readonly isGone?: boolean
  /** Called when the value has expired, or was replaced or evicted. */
  discard?(): void
}

/** How the cache served a request. */
export interface CacheMetadata {
  readonly outcome: CacheOutcome
  /** Why the value was loaded: RFC 9211's `fwd`. */
  readonly forwarded: 'miss' | 'stale' | 'request' | undefined
  readonly stored: boolean
  readonly ageSeconds: Seconds
  /** Until the value is stale; negative if it is. */
  readonly ttlSeconds: Seconds
}

export interface Cached<V> extends CacheMetadata {
  readonly key: string
  readonly value: V
  readonly entry: Entry
}

/** What is known of a value. */
export interface Entry {
  readonly value: Cacheable
  /** Differs for any two entries. */
  readonly version: number
  readonly startedAt: Milliseconds
  /** `startedAt` if a refresh of the same rows has ended since. */
  freshUntil: Milliseconds
  readonly staleUntil: Milliseconds
  /** A client was sent away before it had the value: the next request gets it, whatever its age. */
  isOwed: boolean
  /** False if the value is not cached. */
  isStored: boolean
  /** Why the load failed: then there is no value. */
  readonly problem?: Problem
}

/** Those that the load itself causes: another within seconds would fail again, and occupy a connection. */
const REMEMBERED: ReadonlySet<ProblemCode> = new Set([
  'report_timeout',
  'result_too_large',
  'internal_error',
])
const LEAST_MS: Milliseconds = 5000
const MOST_MS: Milliseconds = 30_000

export function isRemembered(error: unknown): error is Problem {
  return error instanceof Problem && REMEMBERED.has(error.code)
}

/** @param timeoutMs of the definition: a timeout is remembered for as long, within bounds */
export function failureEntry(
  problem: Problem,
  timeoutMs: Milliseconds,
  nowMs: Milliseconds,
): Entry {
  const isTimeout = problem.code === 'report_timeout'
  const untilMs = nowMs + (isTimeout ? Math.min(MOST_MS, Math.max(LEAST_MS, timeoutMs)) : LEAST_MS)
  const times = { startedAt: nowMs, freshUntil: untilMs, staleUntil: untilMs }
  return { ...times, value: { byteCount: 0 }, version: 0, isOwed: false, isStored: true, problem }
}
