/** Counts and latencies of requests by route, since the last summary. */
import type { Observation, Route } from '../../model/observation.ts'
import { CACHE_OUTCOMES } from '../../model/terms.ts'
import type { CacheOutcome, Milliseconds } from '../../model/terms.ts'
import { LATENCY_STEPS, latencyStep, upperMsOf } from './latency-steps.ts'

type RequestFact = Extract<Observation, { kind: 'request' }>

interface Tally {
  readonly route: Route
  requests: number
  problems: number
  readonly byCache: Record<CacheOutcome, number>
  readonly steps: Uint32Array
}

/** What the log says of a route. */
export type RouteSummary = Readonly<Record<string, number>>

export interface RequestSummary {
  count(fact: RequestFact): void
  /** What was counted, by route; begins anew. Undefined if there was nothing. */
  take(): { readonly requests: number; readonly routes: Record<string, RouteSummary> } | undefined
}

export function createRequestSummary(): RequestSummary {
  const tallies = new Map<Route, Tally>()
  // why: nearly all requests are of one route, and to find its tally again costs more than to count
  let last: Tally | undefined

  function tallyOf(route: Route): Tally {
    if (last !== undefined && last.route === route) return last
    last = tallies.get(route) ?? createTally(route)
    tallies.set(route, last)
    return last
  }

  return {
    count({ route, cache, problem, durationMs }) {
      const tally = tallyOf(route)
      tally.requests += 1
      if (problem !== undefined) tally.problems += 1
      if (cache !== undefined) tally.byCache[cache] += 1
      tally.steps[latencyStep(durationMs)]! += 1
    },
    take() {
      if (tallies.size === 0) return undefined
      const entries = [...tallies]
      tallies.clear()
      last = undefined
      return {
        requests: entries.reduce((sum, [, { requests }]) => sum + requests, 0),
        routes: Object.fromEntries(entries.map(([route, tally]) => [route, summarize(tally)])),
      }
    },
  }
}

function createTally(route: Route): Tally {
  return {
    route,
    requests: 0,
    problems: 0,
    byCache: { hit: 0, miss: 0, collapsed: 0, stale: 0 },
    steps: new Uint32Array(LATENCY_STEPS),
  }
}

function summarize({ requests, problems, byCache, steps }: Tally): RouteSummary {
  const outcomes = CACHE_OUTCOMES.map(outcome => [outcome, byCache[outcome]] as const)
  return {
    requests,
    ...Object.fromEntries(outcomes.filter(([, count]) => count > 0)),
    ...(problems > 0 && { problems }),
    p50Ms: percentile(steps, requests, 0.5),
    p99Ms: percentile(steps, requests, 0.99),
  }
}

function percentile(steps: Uint32Array, count: number, share: number): Milliseconds {
  let left = Math.ceil(count * share)
  const step = steps.findIndex(inStep => {
    left -= inStep
    return left <= 0
  })
  const upperMs = upperMsOf(step)
  return upperMs < 10 ? Math.round(upperMs * 10) / 10 : Math.round(upperMs)
}
