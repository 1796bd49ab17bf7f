/**
 * One load for any number of identical requests. Per key, at most one flight is active and one is queued
 * for requests that need a load started after them.
 *
 * The `fetch` of lru-cache 11 is not used: its callers share one abort signal, its flights can be evicted,
 * and it resolves undefined instead of rejecting.
 */
import { Problem } from '../../model/errors.ts'
import { createStop, throwIfStopped } from '../../model/stop.ts'
import type { Stop } from '../../model/stop.ts'
import type { Milliseconds } from '../../model/terms.ts'

/** @param isOwed whether a caller comes back for the result, and none waits for it */
type Load<V> = (stop: Stop, isOwed: () => boolean) => Promise<V>

/** Of a load. */
const MAX_LOAD_MS: Milliseconds = 300_000

interface Waiter<V> {
  readonly resolve: (value: V) => void
  readonly reject: (error: unknown) => void
}

interface Flight<V> {
  readonly load: Load<V>
  readonly stop: Stop
  readonly waiters: Set<Waiter<V>>
  /** A caller was sent away before the end. */
  isOwed: boolean
  next: Flight<V> | undefined
}

export function createSingleFlight<V>() {
  /**
   * By key. why: a Map that changes with each load promotes what it held: V8 links its old tables to the new one
   * (measured: without the links helper threads need 30 us less for each cold request)
   */
  const flights: Record<string, Flight<V>> = Object.create(null)

  function begin(key: string, flight: Flight<V>): void {
    flights[key] = flight
    const { load, stop, waiters } = flight
    const limit = setTimeout(() => stop.stop(tookTooLong()), MAX_LOAD_MS)
    const settle = (take: (waiter: Waiter<V>) => void): void => {
      clearTimeout(limit)
      end(key, flight)
      for (const waiter of waiters) take(waiter)
      waiters.clear()
    }
    load(stop, () => flight.isOwed && waiters.size === 0).then(
      value => settle(({ resolve }) => resolve(value)),
      (error: unknown) => settle(({ reject }) => reject(error)),
    )
  }

  function end(key: string, flight: Flight<V>): void {
    if (flights[key] !== flight) return
    delete flights[key]
    if (flight.next !== undefined) begin(key, flight.next)
  }

  /** A waiter of the flight was stopped. */
  function leave(key: string, flight: Flight<V>): void {
    if (flight.waiters.size > 0 || flight.isOwed) return
    const current = flights[key]
    if (current?.next === flight) current.next = undefined
    else {
      flight.stop.stop(new Error('all callers of this load have been stopped'))
      end(key, flight)
    }
  }

  return {
    /**
     * The result of `load`, or of a flight for the same key. If a caller is stopped, its wait ends. If all callers have
     * disconnected, the flight is stopped; if one was stopped by a Problem, it comes back, and the flight goes on.
     * @param newOnly a load that has already begun is not shared, unless a caller comes back for it
     * @throws the reason of the stop
     */
    join(
      key: string,
      load: Load<V>,
      { newOnly, stop }: { readonly newOnly: boolean; readonly stop: Stop },
    ): { readonly isCollapsed: boolean; readonly result: Promise<V> } {
      throwIfStopped(stop)
      const current = flights[key]
      const joined = newOnly && current?.isOwed !== true ? current?.next : current
      const flight: Flight<V> = joined ?? {
        load,
        stop: createStop(),
        waiters: new Set(),
        isOwed: false,
        next: undefined,
      }
      const result = new Promise<V>((resolve, reject) => {
        const waiter = { resolve, reject }
        flight.waiters.add(waiter)
        stop.onStop(reason => {
          if (!flight.waiters.delete(waiter)) return
          flight.isOwed ||= reason instanceof Problem
          leave(key, flight)
          reject(reason)
        })
      })
      if (current === undefined) begin(key, flight)
      else if (flight !== current) current.next = flight
      return { isCollapsed: joined !== undefined, result }
    },
    stop(): void {
      for (const flight of Object.values(flights)) {
        flight.next = undefined
        flight.stop.stop(new Error('the gateway stops'))
      }
    },
  }
}

function tookTooLong(): Problem {
  return new Problem('report_timeout', {
    ru: 'Отчёт не построился за пять минут. Возьмите период короче.',
    en: 'The report was not finished in five minutes. Request a shorter period.',
  })
}
