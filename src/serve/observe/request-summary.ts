/** The line about the requests of a minute: counts and latencies by route. */
import { createHistogram } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Fact, Route } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'

const FROM_MICROSECONDS = 100
const TO_MICROSECONDS = 818_017_000

export function createRequestSummary(log: Logger, now: Clock) {
  const tallies = new Map<Route, ReturnType<typeof createTally>>()
  let since = now()
  return {
    count(fact: Fact<'request'>): void {
      const { route, cache, problem, durationMs } = fact
      let tally = tallies.get(route)
      if (tally === undefined) tallies.set(route, (tally = createTally()))
      const { counts, microseconds } = tally
      counts.requests += 1
      if (cache !== undefined) counts[cache] = (counts[cache] ?? 0) + 1
      if (problem !== undefined) counts.problems = (counts.problems ?? 0) + 1
      microseconds.record(microsecondsOf(durationMs))
    },
    /** Writes the line unless there was no request, and begins at 0. */
    flush(): void {
      const seconds = Math.round((now() - since) / 1000)
      since = now()
      if (tallies.size === 0) return
      let requests = 0
      for (const { counts } of tallies.values()) requests += counts.requests
      const routes = Object.fromEntries(
        Array.from(tallies, ([route, { counts, microseconds }]) => {
          const [p50Ms, p99Ms] = [50, 99].map(part => round(microseconds.percentile(part) / 1000))
          return [route, { ...counts, p50Ms, p99Ms }]
        }),
      )
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

/** Node's histogram throws if the value is not an integer in its range. */
function microsecondsOf(durationMs: Milliseconds): number {
  const microseconds = Math.min(Math.round(durationMs * 1000), TO_MICROSECONDS)
  return microseconds > FROM_MICROSECONDS ? microseconds : FROM_MICROSECONDS
}

function round(ms: Milliseconds): Milliseconds {
  return ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)
}
