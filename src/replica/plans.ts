/**
 * Which runs share a plan. One for each run is right where organizations differ 50-fold in size; where an
 * answer is small, to plan it takes longer than to run it. So whoever's last run was short tries the
 * statement's shared plan, and keeps it while that is faster. Knows no pg.
 */
import type { Plan } from '../observation.ts'
import type { Milliseconds } from '../terms.ts'

export interface Plans {
  /** @param statement its name as prepared */
  planFor(statement: string, organizationId: string): Plan
  /** A run has come to its end with such a plan. */
  ran(statement: string, organizationId: string, plan: Plan, durationMs: Milliseconds): void
}

interface Known {
  /** What runs take, the last ones weighing most. */
  own: Milliseconds
  /** Undefined until one has been tried. */
  shared: Milliseconds | undefined
  /** So many runs more have plans of their own, before the shared one is tried again. */
  ownRuns: number
}

/**
 * measured: planning takes 0.4 to 4 ms. Of 28 reports the shared plan is 2 to 5 times as fast for a median organization,
 * and up to 29 times slower for a large one, none of whose answers takes so little.
 */
const SHORT_MS: Milliseconds = 5
const RUNS_UNTIL_NEXT_TRY = 20
/** Of the last run in an average: one that the machine held up decides nothing. */
const WEIGHT = 0.2
/** Some 2 MB; past it all begin anew. */
const MAX_KNOWN = 10_000

export function createPlans(): Plans {
  const known = new Map<string, Known>()

  return {
    planFor(statement, organizationId) {
      const last = known.get(keyOf(statement, organizationId))
      return last !== undefined && last.own <= SHORT_MS && last.ownRuns === 0 ? 'shared' : 'own'
    },
    ran(statement, organizationId, plan, durationMs) {
      const key = keyOf(statement, organizationId)
      const last = known.get(key)
      if (last === undefined) {
        if (plan === 'shared') return
        if (known.size >= MAX_KNOWN) known.clear()
        known.set(key, { own: durationMs, shared: undefined, ownRuns: 0 })
        return
      }
      last[plan] = averageOf(last[plan], durationMs)
      if (plan === 'own') last.ownRuns = Math.max(0, last.ownRuns - 1)
      else if (last.shared! > last.own) {
        last.shared = undefined
        last.ownRuns = RUNS_UNTIL_NEXT_TRY
      }
    },
  }
}

function keyOf(statement: string, organizationId: string): string {
  return `${statement}\n${organizationId}`
}

function averageOf(before: Milliseconds | undefined, now: Milliseconds): Milliseconds {
  return before === undefined ? now : before + (now - before) * WEIGHT
}
