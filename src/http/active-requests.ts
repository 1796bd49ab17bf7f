/** Requests from their arrival to the end of their response: each is counted and observed once. */
import type { Observation, Observe } from '../observation.ts'
import type { Clock, Milliseconds } from '../terms.ts'

export type RequestFact = Extract<Observation, { kind: 'request' }>

export interface ActiveRequest {
  readonly startedAt: Milliseconds
  isOver: boolean
}

export interface ActiveRequests {
  begin(): ActiveRequest
  /** Only the first call for a request does anything. */
  end(request: ActiveRequest, fact: RequestFact): void
  count(): number
}

export function createActiveRequests(options: {
  readonly observe: Observe
  readonly now: Clock
}): ActiveRequests {
  const { observe, now } = options
  let count = 0

  return {
    count: () => count,
    begin() {
      count += 1
      return { startedAt: now(), isOver: false }
    },
    end(request, fact) {
      if (request.isOver) return
      request.isOver = true
      count -= 1
      observe(fact)
    },
  }
}
