/** The line about the requests of a minute: counts and latencies by route. */
import { createHistogram } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Fact, Route } from '../../model/observation.ts'
import type { Clock } from '../../model/terms.ts'

const FROM_MICROSECONDS = 100
const TO_MICROSECONDS = 818_017_000

export function createRequestSummary(log: Logger, now: Clock) {
  const tallies = new Map<Route, ReturnType<typeof createTally>>()
  let since = now()
  return {
    count({ route, cache, problem, durationMs }: Fact<'request'>): void {
      let tally = tallies.get(route)
      if (tally === undefined) tallies.set(route, (tally = createTally()))
      const { counts, microseconds } = tally
      counts.requests += 1
      if (cache !== undefined) counts[cache] = (counts[cache] ?? 0) + 1
      if (problem !== undefined) counts.problems = (counts.problems ?? 0) + 1
      // why: Node's histogram throws if the value is not an integer in its range
      const limited = Math.min(Math.round(durationMs * 1000), TO_MICROSECONDS)
      microseconds.record(limited > FROM_MICROSECONDS ? limited : FROM_MICROSECONDS)
    },
    /** Writes the line unless there was no request, and begins at 0. */
    flush(): void {
      const seconds = Math.round((now() - since) / 1000)
      since = now()
      if (tallies.size === 0) return
      let requests = 0
      const routes: Partial<Record<Route, object>> = {}
      for (const [route, { counts, microseconds }] of tallies) {
        requests += counts.requests
        const [p50Ms, p99Ms] = [50, 99].map(
          part => Math.round(microseconds.percentile(part) / 100) / 10,
        )
        routes[route] = { ...counts, p50Ms, p99Ms }
      }
      log.info({ seconds, requests, routes }, `requests of ${seconds} s`)
      tallies.clear()
    },
  }
}

function createTally() {
  const counts: { requests: number; [cacheOrProblems: string]: number } = { requests: 0 }
  // Percentiles are at most 1 % too high.
  const microseconds = createHistogram({ lowest: 1, highest: TO_MICROSECONDS, figures: 2 })
  return { counts, microseconds }
}
