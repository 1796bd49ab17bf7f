/** Counts and latencies of requests by route, since the last summary. */
import type { Observation, Route } from '../observation.ts'
import { CACHE_OUTCOMES } from '../terms.ts'
import type { CacheOutcome, Milliseconds } from '../terms.ts'

type RequestFact = Extract<Observation, { kind: 'request' }>

/** Latencies fall into steps of a tenth, from 0.1 ms to some 800 s: a percentile is at most 10 % too high. */
const STEP = Math.log(1.1)
const SMALLEST_MS = 0.1
const STEPS = 168

interface Tally {
  requests: number
  problems: number
  readonly byCache: Map<CacheOutcome, number>
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
  return {
    count({ route, cache, problem, durationMs }) {
      const tally = tallies.get(route) ?? createTally()
      tallies.set(route, tally)
      tally.requests += 1
      if (problem !== undefined) tally.problems += 1
      if (cache !== undefined) tally.byCache.set(cache, (tally.byCache.get(cache) ?? 0) + 1)
      const step = stepOf(durationMs)
      tally.steps[step] = (tally.steps[step] ?? 0) + 1
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
  return { requests: 0, problems: 0, byCache: new Map(), steps: new Uint32Array(STEPS) }
}

function summarize({ requests, problems, byCache, steps }: Tally): RouteSummary {
  const outcomes = CACHE_OUTCOMES.flatMap(outcome => {
    const count = byCache.get(outcome)
    return count === undefined ? [] : [[outcome, count] as const]
  })
  return {
    requests,
    ...Object.fromEntries(outcomes),
    ...(problems > 0 && { problems }),
    p50Ms: percentile(steps, requests, 0.5),
    p99Ms: percentile(steps, requests, 0.99),
  }
}

function stepOf(durationMs: Milliseconds): number {
  const step = Math.ceil(Math.log(durationMs / SMALLEST_MS) / STEP)
  return Math.min(STEPS - 1, Math.max(0, step || 0))
}

function percentile(steps: Uint32Array, count: number, share: number): Milliseconds {
  let left = Math.ceil(count * share)
  const step = steps.findIndex(inStep => {
    left -= inStep
    return left <= 0
  })
  const upperMs = SMALLEST_MS * Math.exp(step * STEP)
  return upperMs < 10 ? Math.round(upperMs * 10) / 10 : Math.round(upperMs)
}
