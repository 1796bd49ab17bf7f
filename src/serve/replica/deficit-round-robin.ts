/**
 * Whose turn it is: organizations get equal execution time while they compete. The cost of an execution is
 * unknown when it begins, so an estimate is charged then and corrected at its end; an organization in debt
 * waits until the others have caught up.
 *
 * @see https://en.wikipedia.org/wiki/Deficit_round_robin
 */
import type { Milliseconds } from '../../model/terms.ts'

/** Short executions of one organization are served together up to this, so that turns are short. */
const QUANTUM_MS: Milliseconds = 10
/** A debt beyond this is forgiven: one long report must not shut its organization out. */
const MAX_DEBT_MS: Milliseconds = 10_000

/** @template T takes turns: its credit may be spent, a negative one is a debt */
export function createDeficitRoundRobin<T extends { creditMs: Milliseconds }>() {
  const waiting = new Set<T>()

  function charge(one: T, costMs: Milliseconds): void {
    one.creditMs = Math.max(-MAX_DEBT_MS, Math.min(QUANTUM_MS, one.creditMs - costMs))
  }

  return {
    /** Those that have something to execute, in the order of turns. */
    waiting: waiting as ReadonlySet<T>,
    /** It has something to execute; its first turn comes after the turns of those already waiting. */
    join: (one: T): void => void waiting.add(one),
    /** It has nothing left to execute: credit is lost, a debt is not. */
    leave(one: T): void {
      if (waiting.delete(one)) one.creditMs = Math.min(0, one.creditMs)
    },
    /**
     * The next turn, charged with its cost; undefined if nothing can be served.
     * @param find what would be served of it now; asked in the order of turns
     */
    next<S extends { readonly costMs: Milliseconds }>(find: (one: T) => S | undefined) {
      for (;;) {
        let rounds = Number.POSITIVE_INFINITY
        for (const one of waiting) {
          const found = find(one)
          if (found === undefined) continue
          if (one.creditMs > 0) {
            charge(one, found.costMs)
            if (one.creditMs <= 0) {
              waiting.delete(one)
              waiting.add(one)
            }
            return found
          }
          rounds = Math.min(rounds, Math.floor(-one.creditMs / QUANTUM_MS) + 1)
        }
        if (rounds === Number.POSITIVE_INFINITY) return undefined
        // why: all rounds at once in which nothing could be served
        for (const one of waiting) charge(one, -rounds * QUANTUM_MS)
      }
    },
    /** The estimate was charged, and this is what it took. */
    correct: (one: T, expectedMs: Milliseconds, measuredMs: Milliseconds): void =>
      charge(one, measuredMs - expectedMs),
  }
}
