/**
 * Whether a server may be used: by the results of its probe, and by whether connections of its pool can be made. For
 * replicas and key databases; knows neither pg nor timers.
 */
import { monotonicClock } from '../../model/clock.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { isUnavailable } from './classify-error.ts'
import type { ProbeWatcher } from './probe.ts'

/** Held: nothing is sent there until it is known whether a connection can be made. */
type HealthState = 'usable' | 'held' | 'excluded'

export type Health = ReturnType<typeof createHealth>

/** Half of it to all of it is waited until a connection is tried again; a restarted server is tried at once. */
const WAIT_MS: Milliseconds = 4000

export function createHealth(options: {
  /** Before the first connection. why: a role without rights must not be taken for usable because the probe's works */
  readonly first: 'usable' | 'held'
  /** Makes a connection as the pool does. @throws if that fails */
  readonly tryConnection: () => Promise<void>
  readonly onChange: (state: HealthState, error: unknown) => void
  /** From 0 to 1. */
  readonly random: () => number
}) {
  const { tryConnection, onChange, random } = options
  const now = monotonicClock
  let state: HealthState = options.first
  let reason: unknown
  let isTrying = false
  let hasProbeFailed = false
  let respondedAt = now()
  let tryAfter = 0

  function become(next: HealthState, error?: unknown): void {
    reason = error
    if (state === next) return
    state = next
    onChange(next, error)
  }

  function exclude(error: unknown): void {
    tryAfter = now() + WAIT_MS * (0.5 + random() / 2)
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

  const watcher: ProbeWatcher = {
    // why: perhaps only the connection of the probe is slow
    probeLate: () => void (state === 'usable' && attempt()),
    probeSucceeded() {
      respondedAt = now()
      // why: a restarted server is used again at once
      if (hasProbeFailed) tryAfter = 0
      hasProbeFailed = false
      retry()
    },
    probeFailed(error) {
      const isUnreachable = isUnavailable(error)
      hasProbeFailed ||= isUnreachable
      // why: neither the probe nor a new connection got a response in half a second
      if (isUnreachable && isTrying && state !== 'excluded') exclude(error)
      else if (isUnreachable && state === 'usable') void attempt()
      else retry()
    },
  }

  return {
    ...watcher,
    state: () => state,
    /** Why it is not usable. */
    reason: () => reason,
    /** It is not usable, or a connection is being tried. */
    isInDoubt: (): boolean => state !== 'usable' || isTrying,
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
  }
}
