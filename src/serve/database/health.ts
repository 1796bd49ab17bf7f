/**
 * Whether a server may be used: by the results of its probe, and by whether connections of its pool can be made. For
 * replicas and key databases; knows neither pg nor timers.
 */
import type { Clock, Milliseconds } from '../../model/terms.ts'

/** Held: nothing is sent there until it is known whether a connection can be made. */
type HealthState = 'usable' | 'held' | 'excluded'

export type Health = ReturnType<typeof createHealth>

export function createHealth(options: {
  /** Before the first connection. why: a role without rights must not be taken for usable because the probe's works */
  readonly first: 'usable' | 'held'
  /** Makes a connection as the pool does. @throws if that fails */
  readonly tryConnection: () => Promise<void>
  readonly onChange: (state: HealthState, error: unknown) => void
  /** While connections fail, they are tried in these intervals, the next one twice as long. At least half of them is waited. */
  readonly firstWaitMs: Milliseconds
  readonly longestWaitMs: Milliseconds
  readonly now: Clock
  /** From 0 to 1. */
  readonly random: () => number
}) {
  const { tryConnection, onChange, firstWaitMs, longestWaitMs, now, random } = options
  let state: HealthState = options.first
  let reason: unknown
  let isTrying = false
  let hasProbeFailed = false
  let respondedAt = now()
  let waitMs = firstWaitMs
  let tryAfter = 0

  function become(next: HealthState, error?: unknown): void {
    reason = error
    if (state === next) return
    state = next
    onChange(next, error)
  }

  function waitLonger(): void {
    tryAfter = now() + waitMs * (0.5 + random() / 2)
    waitMs = Math.min(longestWaitMs, waitMs * 2)
  }

  function exclude(error: unknown): void {
    if (state !== 'excluded') waitMs = firstWaitMs
    waitLonger()
    become('excluded', error)
  }

  async function attempt(): Promise<void> {
    if (isTrying) return
    isTrying = true
    try {
      await tryConnection()
      isTrying = false
      respondedAt = now()
      become('usable')
    } catch (error) {
      isTrying = false
      exclude(error)
    }
  }

  function retry(): void {
    if (state !== 'usable' && now() >= tryAfter) void attempt()
  }

  return {
    state: () => state,
    /** Why it is not usable. */
    reason: () => reason,
    /** A connection is being tried. */
    isInDoubt: () => isTrying,
    /** No response arrived for this time. */
    isQuiet: (ms: Milliseconds): boolean => now() - respondedAt > ms,
    /** A response arrived, possibly an error of PostgreSQL. */
    responded: (): void => void (respondedAt = now()),
    /** A request failed in transport: tries a connection, and holds it meanwhile. */
    suspect(error: unknown): void {
      if (state !== 'usable') return
      become('held', error)
      void attempt()
    },
    /** The server responds, but its connections must not be used. */
    exclude,
    /** A response is late: tries a connection, since perhaps only that of the probe is slow. */
    doubt: (): void => void (state === 'usable' && attempt()),
    probeSucceeded(): void {
      respondedAt = now()
      // why: a restarted server is used again at once
      if (hasProbeFailed) tryAfter = 0
      hasProbeFailed = false
      retry()
    },
    /** @param isUnreachable false: only the probe is at fault */
    probeFailed(error: unknown, isUnreachable: boolean): void {
      hasProbeFailed ||= isUnreachable
      // why: neither the probe nor a new connection got a response in half a second
      if (isUnreachable && isTrying && state !== 'excluded') exclude(error)
      else if (isUnreachable && state === 'usable') void attempt()
      else retry()
    },
    /** Tries a connection if it is not usable and the last failure is some time ago. */
    retry,
  }
}
