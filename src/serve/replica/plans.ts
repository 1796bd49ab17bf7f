/**
 * Which runs share a plan. One for each run is right where organizations differ 50-fold in size; where an
 * answer is small, to plan it takes longer than to run it. So where runs that are alike were short, the next
 * tries the statement's shared plan, which stays while it is faster. Knows no pg.
 */
import type { Plan } from '../../model/observation.ts'
import type { Milliseconds } from '../../model/terms.ts'

export interface Plans {
  /**
   * @param statement its name as prepared
   * @param alike equal for runs that read about as much: of one organization, over periods of like length
   */
  planFor(statement: string, alike: string): Plan
  /** A run has come to its end with such a plan. */
  ran(statement: string, alike: string, plan: Plan, durationMs: Milliseconds): void
  /** A run has not. */
  failed(statement: string, alike: string, plan: Plan): void
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
 * and up to 29 times slower for a large one, whose answers over a year take 2 to 600 ms.
 */
const SHORT_MS: Milliseconds = 5
const RUNS_UNTIL_NEXT_TRY = 20
/** Of the last run in an average: one that the machine held up decides nothing. */
const WEIGHT = 0.2
/** Some 4 MB; what was met first is forgotten first. */
const MAX_KNOWN = 20_000

export function createPlans(): Plans {
  const known = new Map<string, Known>()

  function meet(key: string, own: Milliseconds): void {
    const [first] = known.keys()
    if (known.size >= MAX_KNOWN && first !== undefined) known.delete(first)
    known.set(key, { own, shared: undefined, ownRuns: 0 })
  }

  return {
    planFor(statement, alike) {
      const last = known.get(keyOf(statement, alike))
      return last !== undefined && last.own <= SHORT_MS && last.ownRuns === 0 ? 'shared' : 'own'
    },
    ran(statement, alike, plan, durationMs) {
      // why: a wall clock that was set back tells no duration
      if (durationMs < 0) return
      const key = keyOf(statement, alike)
      const last = known.get(key)
      if (last === undefined) {
        if (plan === 'own') meet(key, durationMs)
        return
      }
      last[plan] = averageOf(last[plan], durationMs)
      if (plan === 'own') last.ownRuns = Math.max(0, last.ownRuns - 1)
      else if (last.shared! > last.own) {
        last.shared = undefined
        // why: where it is slow and not just slower, once is enough
        last.ownRuns = durationMs > SHORT_MS * 2 ? Infinity : RUNS_UNTIL_NEXT_TRY
      }
    },
    failed(statement, alike, plan) {
      const last = known.get(keyOf(statement, alike))
      if (plan === 'shared' && last !== undefined) last.ownRuns = Infinity
    },
  }
}

function keyOf(statement: string, alike: string): string {
  return `${statement}\n${alike}`
}

function averageOf(before: Milliseconds | undefined, now: Milliseconds): Milliseconds {
  return before === undefined ? now : before + (now - before) * WEIGHT
}
