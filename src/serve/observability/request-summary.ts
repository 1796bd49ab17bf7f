/** Counts and latencies of requests by route, since the last summary. */
import { createHistogram } from 'node:perf_hooks'
import type { RecordableHistogram } from 'node:perf_hooks'
import type { Observation, Route } from '../../model/observation.ts'
import { CACHE_OUTCOMES } from '../../model/terms.ts'
import type { CacheOutcome, Milliseconds } from '../../model/terms.ts'

type RequestFact = Extract<Observation, { kind: 'request' }>

const FROM_MICROSECONDS = 100
const TO_MICROSECONDS = 818_017_000

interface Tally {
  requests: number
  problems: number
  readonly byCache: Record<CacheOutcome, number>
  readonly microseconds: RecordableHistogram
}

/** Of a route. */
export type RouteSummary = Readonly<Record<string, number>>

export interface RequestSummary {
  count(fact: RequestFact): void
  /** What was counted, by route; starts again. Undefined if there was nothing. */
  take(): { readonly requests: number; readonly routes: Record<string, RouteSummary> } | undefined
}

export function createRequestSummary(): RequestSummary {
  const tallies = new Map<Route, Tally>()
  return {
    count({ route, cache, problem, durationMs }) {
      let tally = tallies.get(route)
      if (tally === undefined) tallies.set(route, (tally = createTally()))
      tally.requests += 1
      if (problem !== undefined) tally.problems += 1
      if (cache !== undefined) tally.byCache[cache] += 1
      tally.microseconds.record(microsecondsOf(durationMs))
    },
    take() {
      if (tallies.size === 0) return undefined
      const entries = [...tallies]
      tallies.clear()
      return {
        requests: entries.reduce((sum, [, { requests }]) => sum + requests, 0),
        routes: Object.fromEntries(entries.map(([route, tally]) => [route, summarize(tally)])),
      }
    },
  }
}

function createTally(): Tally {
  return {
    requests: 0,
    problems: 0,
    byCache: { hit: 0, miss: 0, collapsed: 0, stale: 0 },
    // Percentiles are at most 1 % too high.
    microseconds: createHistogram({ lowest: 1, highest: TO_MICROSECONDS, figures: 2 }),
  }
}

/** A histogram of Node throws for what is no integer of its range. */
function microsecondsOf(durationMs: Milliseconds): number {
  const microseconds = Math.min(Math.round(durationMs * 1000), TO_MICROSECONDS)
  return microseconds > FROM_MICROSECONDS ? microseconds : FROM_MICROSECONDS
}

function summarize({ requests, problems, byCache, microseconds }: Tally): RouteSummary {
  const outcomes = CACHE_OUTCOMES.map(outcome => [outcome, byCache[outcome]] as const)
  return {
    requests,
    ...Object.fromEntries(outcomes.filter(([, count]) => count > 0)),
    ...(problems > 0 && { problems }),
    p50Ms: round(microseconds.percentile(50) / 1000),
    p99Ms: round(microseconds.percentile(99) / 1000),
  }
}

function round(ms: Milliseconds): Milliseconds {
  return ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)
}
