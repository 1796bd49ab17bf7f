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
import type { Clock, Milliseconds } from '../../model/terms.ts'

/** @param isOwed whether a caller comes back for the result, and none waits for it */
type Load<V> = (stop: Stop, state: FlightState, isOwed: () => boolean) => Promise<V>

/** What is known of a load while it is in flight. */
export interface FlightState {
  /** Infinity while it is queued. */
  readonly startedAt: Milliseconds
  /** A caller requested a load of its own. */
  readonly isRefresh: boolean
  /** A refresh of the same rows has ended since: the result is stale. */
  readonly isOutdated: boolean
}

/** Of a load. */
const MAX_LOAD_MS: Milliseconds = 300_000

interface Waiter<V> {
  readonly resolve: (value: V) => void
  readonly reject: (error: unknown) => void
}

interface Flight<V> extends FlightState {
  startedAt: Milliseconds
  isRefresh: boolean
  isOutdated: boolean
  readonly load: Load<V>
  readonly stop: Stop
  readonly waiters: Set<Waiter<V>>
  /** A caller was sent away before the end. */
  isOwed: boolean
  next: Flight<V> | undefined
}

export function createSingleFlight<V>(now: Clock) {
  /**
   * By key. why: a Map that changes with each load promotes what it held: V8 links its old tables to the new one
   * (measured: without the links helper threads need 30 us less for each cold request)
   */
  const flights: Record<string, Flight<V>> = Object.create(null)

  function begin(key: string, flight: Flight<V>): void {
    flights[key] = flight
    flight.startedAt = now()
    const { load, stop, waiters } = flight
    const limit = setTimeout(() => stop.stop(tookTooLong()), MAX_LOAD_MS)
    const settle = (take: (waiter: Waiter<V>) => void): void => {
      clearTimeout(limit)
      end(key, flight)
      for (const waiter of waiters) take(waiter)
      waiters.clear()
    }
    load(stop, flight, () => flight.isOwed && waiters.size === 0).then(
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
     * @param notBefore a load that began before it is not shared, unless a caller comes back for it
     * @throws the reason of the stop
     */
    join(
      key: string,
      load: Load<V>,
      {
        notBefore,
        isRefresh,
        stop,
      }: {
        readonly notBefore: Milliseconds
        readonly isRefresh: boolean
        readonly stop: Stop
      },
    ): { readonly isCollapsed: boolean; readonly result: Promise<V> } {
      throwIfStopped(stop)
      const current = flights[key]
      const isTooOld = current && (current.startedAt < notBefore || current.isOutdated)
      const joined = isTooOld && !current.isOwed ? current.next : current
      const flight: Flight<V> = joined ?? {
        startedAt: Infinity,
        isRefresh,
        isOutdated: false,
        load,
        stop: createStop(),
        waiters: new Set(),
        isOwed: false,
        next: undefined,
      }
      flight.isRefresh ||= isRefresh
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
    /** A refresh that began then has ended. */
    outdate(key: string, startedAt: Milliseconds): void {
      const flight = flights[key]
      if (flight !== undefined && flight.startedAt <= startedAt) flight.isOutdated = true
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
