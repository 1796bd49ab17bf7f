/**
 * One load for any number of identical requests. Per key, at most one flight is active and one is queued
 * for requests that need a load started after them.
 *
 * The `fetch` of lru-cache 11 is not used: its callers share one abort signal, its flights can be evicted,
 * and it resolves undefined instead of rejecting.
 */
import { unlessAborted } from '../../model/unless-aborted.ts'

interface SingleFlight {
  /**
   * The result of `load`, or of a flight for the same key. If a caller's signal aborts, its wait ends. If all
   * callers have aborted, the flight is aborted.
   */
  join<V>(options: {
    readonly key: string
    readonly load: (signal: AbortSignal) => Promise<V>
    /** True: a load that has already begun is not shared. */
    readonly newOnly?: boolean
    readonly signal: AbortSignal
  }): { readonly collapsed: boolean; readonly result: Promise<V> }
}

interface Flight {
  readonly load: (signal: AbortSignal) => Promise<unknown>
  readonly abort: AbortController
  readonly result: Promise<unknown>
  readonly settle: (result: Promise<unknown>) => void
  waiterCount: number
  begun: boolean
  next: Flight | undefined
}

export function createSingleFlight(): SingleFlight {
  const flights = new Map<string, Flight>()

  function begin(key: string, flight: Flight): void {
    flights.set(key, flight)
    flight.begun = true
    flight.settle(flight.load(flight.abort.signal).finally(() => end(key, flight)))
  }

  function end(key: string, flight: Flight): void {
    if (flights.get(key) !== flight) return
    flights.delete(key)
    if (flight.next) begin(key, flight.next)
  }

  function removeWaiter(key: string, flight: Flight): void {
    flight.waiterCount -= 1
    if (flight.waiterCount > 0) return
    if (flight.begun) {
      flight.abort.abort(new Error('all callers of this load have aborted'))
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
      const result = unlessAborted(flight.result, signal, () => removeWaiter(key, flight))
      // why: equal keys have equal loads, so the value has the caller's type
      return { collapsed: joined !== undefined, result: result as Promise<never> }
    },
  }
}

function createFlight(load: (signal: AbortSignal) => Promise<unknown>): Flight {
  let settle!: (result: Promise<unknown>) => void
  const result = new Promise<unknown>(resolve => (settle = resolve))
  // why: a failure after all callers have aborted must not be an unhandled rejection
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
