/**
 * Whether a server may be used: by the results of its probe, and by whether connections of its pool can be made. For
 * replicas and key databases; knows neither pg nor timers.
 */
import type { Clock, Milliseconds } from '../../model/terms.ts'

/** Held: nothing is sent there until it is known whether a connection can be made. */
type HealthState = 'usable' | 'held' | 'excluded'

export interface Health {
  state(): HealthState
  /** Why it is not usable. */
  reason(): unknown
  /** A connection is being tried. */
  isInDoubt(): boolean
  /** No response arrived for this time. */
  isQuiet(ms: Milliseconds): boolean
  /** A response arrived, possibly an error of PostgreSQL. */
  responded(): void
  /** A request failed in transport: tries a connection, and holds it meanwhile. */
  suspect(error: unknown): void
  /** The server responds, but its connections must not be used. */
  exclude(error: unknown): void
  /** A response is late: tries a connection. */
  doubt(): void
  probeSucceeded(): void
  /** @param isUnreachable false: only the probe is at fault */
  probeFailed(error: unknown, isUnreachable: boolean): void
  /** Tries a connection if it is not usable and the last failure is some time ago. */
  retry(): void
}

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
}): Health {
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
    reason: () => reason,
    isInDoubt: () => isTrying,
    isQuiet: ms => now() - respondedAt > ms,
    responded: () => void (respondedAt = now()),
    suspect(error) {
      if (state !== 'usable') return
      become('held', error)
      void attempt()
    },
    exclude,
    // why: perhaps the probe's connection alone is slow
    doubt: () => void (state === 'usable' && attempt()),
    probeSucceeded() {
      respondedAt = now()
      // why: a restarted server is used again at once
      if (hasProbeFailed) tryAfter = 0
      hasProbeFailed = false
      retry()
    },
    probeFailed(error, isUnreachable) {
      hasProbeFailed ||= isUnreachable
      // why: neither the probe nor a new connection got a response in half a second
      if (isUnreachable && isTrying && state !== 'excluded') exclude(error)
      else if (isUnreachable && state === 'usable') void attempt()
      else retry()
    },
    retry,
  }
}
