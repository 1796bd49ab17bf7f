/**
 * One load for any number of identical requests. Per key, at most one flight is active and one is queued
 * for requests that need a load started after them.
 *
 * The `fetch` of lru-cache 11 is not used: its callers share one abort signal, its flights can be evicted,
 * and it resolves undefined instead of rejecting.
 */
import { Problem } from '../../model/errors.ts'
import { createStop, type Stop } from '../../model/stop.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { Cacheable, CacheRequest, Entry } from './entry.ts'

/** What precedes and follows each load. */
interface Outcomes {
  /** Why the load need not begin. */
  expected(request: CacheRequest): Problem | undefined
  /** @returns what all waiters get */
  loaded(value: Cacheable, flight: Flight): Entry
  failed(error: unknown, flight: Flight): void
}

/** Longest time of a load. */
const MAX_LOAD_MS: Milliseconds = 300_000
const DEADLINES_EVERY_MS: Milliseconds = 1000

interface Waiter {
  readonly resolve: (entry: Entry) => void
  readonly reject: (error: unknown) => void
}

/** A load in flight. */
export interface Flight {
  /** What its first caller asked for. */
  readonly request: CacheRequest
  readonly load: (stop: Stop) => Promise<Cacheable>
  readonly stop: Stop
  /** Infinity while it is queued. */
  startedAt: Milliseconds
  /** A caller requested a load of its own. */
  isRefresh: boolean
  /** A refresh of the same rows has ended since: the result is stale. */
  isOutdated: boolean
  readonly waiters: Set<Waiter>
  /** A caller was sent away before the end. */
  isOwed: boolean
  next: Flight | undefined
}

export function createSingleFlight(now: Clock, outcomes: Outcomes) {
  /**
   * The flight of each key. why: a Map that changes with each load promotes what it held: V8 links its old tables to the new one
   * (measured: without the links helper threads need 30 us less for each cold request)
   */
  const flights: Record<string, Flight> = Object.create(null)

  const deadlines = setInterval(() => {
    for (const { startedAt, stop } of Object.values(flights))
      if (now() - startedAt >= MAX_LOAD_MS) stop.stop(tookTooLong())
  }, DEADLINES_EVERY_MS).unref()

  function begin(key: string, flight: Flight): void {
    flights[key] = flight
    flight.startedAt = now()
    const { request, load, stop, waiters } = flight
    const expected = outcomes.expected(request)
    const settle = (take: (waiter: Waiter) => void): void => {
      end(key, flight)
      for (const waiter of waiters) take(waiter)
      waiters.clear()
    }
    const loading = expected === undefined ? load(stop) : Promise.reject(expected)
    loading.then(
      value => {
        const entry = outcomes.loaded(value, flight)
        return settle(({ resolve }) => resolve(entry))
      },
      (error: unknown) => {
        if (error !== expected) outcomes.failed(error, flight)
        settle(({ reject }) => reject(error))
      },
    )
  }

  function end(key: string, flight: Flight): void {
    if (flights[key] !== flight) return
    delete flights[key]
    if (flight.next !== undefined) begin(key, flight.next)
  }

  /** A waiter of the flight was stopped. */
  function leave(key: string, flight: Flight): void {
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
     * The waiter gets the result of `load`, or of a flight for the same key. If a caller is stopped, its wait ends. If all
     * callers have disconnected, the flight is stopped; if one was stopped by a Problem, it comes back, and the flight
     * goes on.
     * @param notBefore a load that began before it is not shared, unless a caller comes back for it
     * @returns whether it is the flight of another caller
     */
    join(
      request: CacheRequest,
      notBefore: Milliseconds,
      load: Flight['load'],
      waiter: Waiter,
    ): boolean {
      const { key, stop } = request
      const isRefresh = request.maxAgeSeconds < Infinity
      const current = flights[key]
      const isTooOld = current && (current.startedAt < notBefore || current.isOutdated)
      const joined = isTooOld && !current.isOwed ? current.next : current
      const flight: Flight = joined ?? {
        startedAt: Infinity,
        isRefresh,
        isOutdated: false,
        request,
        load,
        stop: createStop(),
        waiters: new Set(),
        isOwed: false,
        next: undefined,
      }
      flight.isRefresh ||= isRefresh
      flight.waiters.add(waiter)
      stop.onStop(reason => {
        if (!flight.waiters.delete(waiter)) return
        flight.isOwed ||= reason instanceof Problem
        leave(key, flight)
        waiter.reject(reason)
      })
      if (current === undefined) begin(key, flight)
      else if (flight !== current) current.next = flight
      return joined !== undefined
    },
    /** A refresh that began then has ended. */
    outdate(key: string, startedAt: Milliseconds): void {
      const flight = flights[key]
      if (flight !== undefined && flight.startedAt <= startedAt) flight.isOutdated = true
    },
    stop(): void {
      clearInterval(deadlines)
      for (const flight of Object.values(flights)) {
        flight.next = undefined
        flight.stop.stop(new Error('the gateway stops'))
      }
    },
  }
}

function tookTooLong(): Problem {
  return new Problem('report_timeout', texts => texts.timedOutInMinutes)
}
