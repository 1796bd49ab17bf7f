/**
 * One load for any number of identical requests. At most one flight a key is under way, and at most
 * one waits behind it, for those that want a load that starts after their request.
 *
 * lru-cache's own `fetch` is not used: its callers share one abort signal, its flights count as
 * entries that can be evicted, and it resolves undefined where it should reject (lru-cache 11).
 */
import { unlessAborted } from '../../model/unless-aborted.ts'

export interface SingleFlight {
  /**
   * The result of `load` for the key, perhaps of a flight that others wait for as well.
   * A caller whose signal aborts leaves; a flight that all callers have left is aborted.
   */
  join<V>(options: {
    readonly key: string
    readonly load: (signal: AbortSignal) => Promise<V>
    /** Do not share a load that has begun. */
    readonly newOnly?: boolean
    readonly signal: AbortSignal
  }): { readonly collapsed: boolean; readonly result: Promise<Shared<V>> }
}

export interface Shared<V> {
  readonly value: V
  /** True for the first who asks: a value that can be used once is theirs. */
  claim(): boolean
}

interface Flight {
  readonly load: (signal: AbortSignal) => Promise<unknown>
  readonly abort: AbortController
  readonly result: Promise<Shared<unknown>>
  readonly settle: (result: Promise<Shared<unknown>>) => void
  waiterCount: number
  begun: boolean
  next: Flight | undefined
}

export function createSingleFlight({
  discard = () => undefined,
}: {
  /** Takes a value that all callers have left. */
  readonly discard?: (value: unknown) => void
} = {}): SingleFlight {
  const flights = new Map<string, Flight>()

  function begin(key: string, flight: Flight): void {
    flights.set(key, flight)
    flight.begun = true
    flight.settle(
      flight
        .load(flight.abort.signal)
        .then(value => {
          if (flight.waiterCount === 0) discard(value)
          return sharedOnce(value)
        })
        .finally(() => end(key, flight)),
    )
  }

  function end(key: string, flight: Flight): void {
    if (flights.get(key) !== flight) return
    flights.delete(key)
    if (flight.next) begin(key, flight.next)
  }

  function leave(key: string, flight: Flight): void {
    flight.waiterCount -= 1
    if (flight.waiterCount > 0) return
    if (flight.begun) {
      flight.abort.abort(new Error('all callers of this load have left'))
      end(key, flight)
    } else {
      const current = flights.get(key)
      if (current?.next === flight) current.next = undefined
    }
  }

  return {
    join({ key, load, newOnly = false, signal }) {
      const current = flights.get(key)
      const joined = newOnly ? current?.next : current
      const flight = joined ?? createFlight(load)
      flight.waiterCount += 1
      if (!current) begin(key, flight)
      else if (newOnly) current.next = flight
      const result = unlessAborted(flight.result, signal, () => leave(key, flight))
      // why: the load that was handed in, or an equal one, made the value: equal keys have equal loads
      return { collapsed: joined !== undefined, result: result as Promise<Shared<never>> }
    },
  }
}

function createFlight(load: (signal: AbortSignal) => Promise<unknown>): Flight {
  let settle!: (result: Promise<Shared<unknown>>) => void
  const result = new Promise<Shared<unknown>>(resolve => (settle = resolve))
  // why: a flight that fails after all have left fails unheard
  result.catch(() => undefined)
  return {
    load,
    abort: new AbortController(),
    result,
    settle,
    waiterCount: 0,
    begun: false,
    next: undefined,
  }
}

function sharedOnce(value: unknown): Shared<unknown> {
  let claimed = false
  return {
    value,
    claim: () => {
      const first = !claimed
      claimed = true
      return first
    },
  }
}
