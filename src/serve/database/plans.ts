/**
 * Chooses between shared and per-execution plans. Per-execution plans suit organizations that differ 50-fold in
 * size, but for small results planning takes longer than execution. If similar executions were short, the next one
 * tries the shared plan, which is used as long as it is faster. Knows no pg.
 */
import { LRUCache } from 'lru-cache'
import type { PlanKind } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'
import type { StatementRequest } from './rows.ts'

type PlannedRequest = Pick<StatementRequest, 'preparedName' | 'similarityKey'>

interface PlanCosts {
  /** Average duration with per-execution plans; recent ones weigh most. */
  own: Milliseconds
  /** Average duration with the shared plan; undefined before the first. */
  shared: Milliseconds | undefined
  /** Count of executions with per-execution plans before the shared plan is tried again. */
  retryAfter: number
}

/**
 * measured: planning takes 0.4 to 4 ms. For 28 reports the shared plan is 2 to 5 times as fast for a median
 * organization, and up to 29 times slower for a large one, whose reports of a year take 2 to 600 ms.
 */
const SHORT_MS: Milliseconds = 5
const EXECUTIONS_UNTIL_RETRY = 20
/** Weight of the last execution in an average: a single slow one decides nothing. */
const WEIGHT = 0.2
/** About 4 MB. */
const MAX_ENTRIES = 20_000

export function createPlans() {
  const costs = new LRUCache<string, PlanCosts>({ max: MAX_ENTRIES })

  return {
    planFor(request: PlannedRequest): PlanKind {
      const last = costs.get(keyOf(request))
      return last !== undefined && last.own <= SHORT_MS && last.retryAfter === 0 ? 'shared' : 'own'
    },
    /** The shared plan is never tried again after it. */
    timedOut(request: PlannedRequest, plan: PlanKind): void {
      const last = costs.get(keyOf(request))
      if (plan === 'shared' && last !== undefined) last.retryAfter = Infinity
    },
    /** An execution with this plan has succeeded. */
    ended(request: PlannedRequest, plan: PlanKind, durationMs: Milliseconds): void {
      const key = keyOf(request)
      const last = costs.get(key)
      if (last === undefined) {
        if (plan === 'own') costs.set(key, { own: durationMs, shared: undefined, retryAfter: 0 })
      } else {
        last[plan] = averageOf(last[plan], durationMs)
        if (plan === 'own') last.retryAfter = Math.max(0, last.retryAfter - 1)
        else if (last.shared! > last.own) {
          last.shared = undefined
          // why: if the shared plan is much slower, it is never tried again
          last.retryAfter = durationMs > SHORT_MS * 2 ? Infinity : EXECUTIONS_UNTIL_RETRY
        }
      }
    },
  }
}

function keyOf({ preparedName, similarityKey }: PlannedRequest): string {
  return `${preparedName}\n${similarityKey}`
}

function averageOf(before: Milliseconds | undefined, now: Milliseconds): Milliseconds {
  return before === undefined ? now : before + (now - before) * WEIGHT
}
