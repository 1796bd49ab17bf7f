/** One `observe` for many observers. Noticing a thing never harms the request that it was noticed in. */
import type { Observe } from '../../model/observation.ts'

/**
 * Hands each fact to every observer in turn; never throws. If one throws, the others are told of it as a
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
      // Nobody is left to tell.
    }
  }
}
