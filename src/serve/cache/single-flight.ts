/**
 * One load for any number of identical requests. Per key, at most one flight is active and one is queued
 * for requests that need a load started after them.
 *
 * The `fetch` of lru-cache 11 is not used: its callers share one abort signal, its flights can be evicted,
 * and it resolves undefined instead of rejecting.
 */
import { createStop, throwIfStopped } from '../../model/stop.ts'
import type { Stop } from '../../model/stop.ts'

interface SingleFlight<V> {
  /**
   * The result of `load`, or of a flight for the same key. If a caller is stopped, its wait ends. If all callers are
   * stopped, the flight is stopped.
   * @throws the reason of the stop
   */
  join(
    key: string,
    load: (stop: Stop) => Promise<V>,
    options: {
      /** True: a load that has already begun is not shared. */
      readonly newOnly: boolean
      readonly stop: Stop
    },
  ): { readonly isCollapsed: boolean; readonly result: Promise<V> }
}

interface Waiter<V> {
  readonly resolve: (value: V) => void
  readonly reject: (error: unknown) => void
}

interface Flight<V> {
  readonly load: (stop: Stop) => Promise<V>
  readonly stop: Stop
  readonly waiters: Set<Waiter<V>>
  next: Flight<V> | undefined
}

export function createSingleFlight<V>(): SingleFlight<V> {
  const flights = new Map<string, Flight<V>>()

  function begin(key: string, flight: Flight<V>): void {
    flights.set(key, flight)
    const { load, stop, waiters } = flight
    const settle = (take: (waiter: Waiter<V>) => void): void => {
      end(key, flight)
      for (const waiter of waiters) take(waiter)
      waiters.clear()
    }
    load(stop).then(
      value => settle(({ resolve }) => resolve(value)),
      (error: unknown) => settle(({ reject }) => reject(error)),
    )
  }

  function end(key: string, flight: Flight<V>): void {
    if (flights.get(key) !== flight) return
    flights.delete(key)
    if (flight.next !== undefined) begin(key, flight.next)
  }

  /** A waiter of the flight was stopped. */
  function leave(key: string, flight: Flight<V>): void {
    if (flight.waiters.size > 0) return
    const current = flights.get(key)
    if (current?.next === flight) current.next = undefined
    else {
      flight.stop.stop(new Error('all callers of this load have been stopped'))
      end(key, flight)
    }
  }

  return {
    join(key, load, { newOnly, stop }) {
      throwIfStopped(stop)
      const current = flights.get(key)
      const joined = newOnly ? current?.next : current
      const flight: Flight<V> = joined ?? {
        load,
        stop: createStop(),
        waiters: new Set(),
        next: undefined,
      }
      const result = new Promise<V>((resolve, reject) => {
        const waiter = { resolve, reject }
        flight.waiters.add(waiter)
        stop.onStop(reason => {
          if (!flight.waiters.delete(waiter)) return
          leave(key, flight)
          reject(reason)
        })
      })
      if (current === undefined) begin(key, flight)
      else if (newOnly) current.next = flight
      return { isCollapsed: joined !== undefined, result }
    },
  }
}
