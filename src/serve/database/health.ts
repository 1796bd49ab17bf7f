/**
 * Whether a server may be used: by the results of its probe, and by whether connections of its pool can be made. For
 * replicas and key databases; knows neither pg nor timers.
 */
import { isUnavailable } from './classify-error.ts'

/** Held: nothing is sent there until it is known whether a connection can be made. */
type HealthState = 'usable' | 'held' | 'excluded'

export type Health = ReturnType<typeof createHealth>

/** @param tryConnection makes a connection as the pool does, and throws if that fails */
export function createHealth(
  tryConnection: () => Promise<void>,
  onChange: (state: HealthState, error: unknown) => void,
) {
  // why: a role without rights must not be taken for usable because the probe's works
  let state: HealthState = 'held'
  let reason: unknown
  /** The last connection that is being tried. */
  let trial: symbol | undefined

  function become(next: HealthState, error?: unknown): void {
    reason = error
    if (state === next) return
    state = next
    onChange(next, error)
  }

  async function attempt(): Promise<void> {
    const mine = (trial = Symbol())
    try {
      await tryConnection()
      become('usable')
    } catch (error) {
      if (trial === mine || state !== 'usable') become('excluded', error)
    }
    if (trial === mine) trial = undefined
  }

  return {
    // why: perhaps only the connection of the probe is slow
    probeLate: (): void => void (state === 'usable' && (trial ?? attempt())),
    // why: a connection that was tried before the server responded may hang
    probeSucceeded: (): void => void (state === 'usable' || attempt()),
    probeFailed(error: unknown): void {
      const isUnreachable = isUnavailable(error)
      // why: neither the probe nor a new connection got a response in half a second
      if (isUnreachable && trial !== undefined) become('excluded', error)
      else if (isUnreachable || state !== 'usable') void (trial ?? attempt())
    },
    state: () => state,
    /** Why it is not usable. */
    reason: () => reason,
    /** A request failed in transport: tries a connection, and holds it meanwhile. */
    suspect(error: unknown): void {
      if (state === 'excluded') return
      become('held', error)
      void (trial ?? attempt())
    },
  }
}
