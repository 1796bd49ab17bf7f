/** Requests from their arrival to the end of their response: each is counted and observed once. */
import type { IncomingMessage } from 'node:http'
import type { Observation, Observe } from '../observation.ts'
import type { Clock, Milliseconds } from '../terms.ts'
import type { Connection, Connections } from './connections.ts'

export type RequestFact = Extract<Observation, { kind: 'request' }>

export interface ActiveRequest {
  readonly startedAt: Milliseconds
  readonly connection: Connection
  isOver: boolean
}

export interface ActiveRequests {
  begin(request: IncomingMessage): ActiveRequest
  /** Only the first call for a request does anything. */
  end(request: ActiveRequest, fact: RequestFact): void
  count(): number
}

export function createActiveRequests(options: {
  readonly connections: Connections
  readonly observe: Observe
  readonly now: Clock
}): ActiveRequests {
  const { connections, observe, now } = options
  let count = 0

  return {
    count: () => count,
    begin({ socket }) {
      count += 1
      return { startedAt: now(), connection: connections.beginRequest(socket), isOver: false }
    },
    end(request, fact) {
      if (request.isOver) return
      request.isOver = true
      count -= 1
      connections.endRequest(request.connection)
      observe(fact)
    },
  }
}
