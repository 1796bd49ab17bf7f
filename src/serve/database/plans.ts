/**
 * Chooses between shared and per-execution plans. Per-execution plans suit organizations that differ 50-fold in
 * size, but for small results planning takes longer than execution. If similar executions were short, the next one
 * tries the shared plan, which is used as long as it is faster. Knows no pg.
 */
import { LRUCache } from 'lru-cache'
import type { PlanKind } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'

export interface Plans {
  /**
   * @param statement name of the prepared statement
   * @param similarityKey equal for executions that read similar amounts @see StatementRequest
   */
  planFor(statement: string, similarityKey: string): PlanKind
  /** An execution with this plan completed. */
  completed(
    statement: string,
    similarityKey: string,
    plan: PlanKind,
    durationMs: Milliseconds,
  ): void
  /** An execution with this plan failed. */
  failed(statement: string, similarityKey: string, plan: PlanKind): void
}

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

export function createPlans(): Plans {
  const costs = new LRUCache<string, PlanCosts>({ max: MAX_ENTRIES })

  return {
    planFor(statement, similarityKey) {
      const last = costs.get(keyOf(statement, similarityKey))
      return last !== undefined && last.own <= SHORT_MS && last.retryAfter === 0 ? 'shared' : 'own'
    },
    completed(statement, similarityKey, plan, durationMs) {
      const key = keyOf(statement, similarityKey)
      const last = costs.get(key)
      if (last === undefined) {
        if (plan === 'own') costs.set(key, { own: durationMs, shared: undefined, retryAfter: 0 })
        return
      }
      last[plan] = averageOf(last[plan], durationMs)
      if (plan === 'own') last.retryAfter = Math.max(0, last.retryAfter - 1)
      else if (last.shared! > last.own) {
        last.shared = undefined
        // why: if the shared plan is much slower, it is never tried again
        last.retryAfter = durationMs > SHORT_MS * 2 ? Infinity : EXECUTIONS_UNTIL_RETRY
      }
    },
    failed(statement, similarityKey, plan) {
      const last = costs.get(keyOf(statement, similarityKey))
      if (plan === 'shared' && last !== undefined) last.retryAfter = Infinity
    },
  }
}

function keyOf(statement: string, similarityKey: string): string {
  return `${statement}\n${similarityKey}`
}

function averageOf(before: Milliseconds | undefined, now: Milliseconds): Milliseconds {
  return before === undefined ? now : before + (now - before) * WEIGHT
}
