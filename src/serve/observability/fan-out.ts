/** One `observe` for many observers. An observation never harms its request. */
import type { Observe } from '../../model/observation.ts'

/**
 * Hands each fact to every observer in turn; never throws. If one throws, the others get a
 * `process-error`.
 */
export function fanOut(...observers: readonly Observe[]): Observe {
  return fact => {
    for (const observe of observers) {
      try {
        observe(fact)
      } catch (error) {
        tellOthers(observers, observe, error)
      }
    }
  }
}

// why: a closure in the loop would cost each fact a context, thrown in or not
function tellOthers(observers: readonly Observe[], broken: Observe, error: unknown): void {
  for (const observe of observers) {
    if (observe === broken) continue
    try {
      observe({ kind: 'process-error', error })
    } catch {
      // No observer is left.
    }
  }
}
