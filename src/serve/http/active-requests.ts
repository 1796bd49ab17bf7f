/** Requests in flight: each is counted, limited and observed once. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { InvalidAccessRow } from '../access/invalid-access-row.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds, Organization } from '../../model/terms.ts'
import type { Connections } from './connections.ts'
import { nameOf } from './paths.ts'
import type { RequestHead } from './request-head.ts'
import { createRequest } from './request.ts'
import type { Request, RequestFact } from './request.ts'

export type ActiveRequests = ReturnType<typeof createActiveRequests>

/** Counts of 0 are removed when the map reaches this size. */
const SWEEP_AT = 20_000

/** nginx's status for a client that disconnected before the response began. */
const CLIENT_CLOSED_REQUEST = 499

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

export function createActiveRequests(options: {
  readonly connections: Connections
  /** The catalog in use now. */
  readonly catalog: () => Catalog
  readonly maxRequestsPerOrganization: number
  readonly onEnd: (request: Request, aborted: boolean) => void
  readonly observe: Observe
  readonly now: Clock
  readonly wall: Clock
}) {
  const { connections, catalog, maxRequestsPerOrganization, onEnd, observe, now, wall } = options
  /** Differs per process and restart: two of 100,000 are equal with a probability of 3e-10. */
  const idPrefix = randomBytes(8).toString('hex')
  let idCount = 0
  let count = 0
  /** Entries of 0 remain for a while: a `delete` for each costs 7 % CPU time of a hit. */
  let requestCounts = new Map<string, number>()
  let sweepAt = SWEEP_AT

  function requestIdOf(header: string | undefined): string {
    if (header !== undefined && CLIENT_REQUEST_ID.test(header)) return header
    idCount += 1
    return `${idPrefix}-${idCount}`
  }

  function sweep(): void {
    requestCounts = new Map([...requestCounts].filter(([, requestCount]) => requestCount > 0))
    sweepAt = Math.max(SWEEP_AT, 2 * requestCounts.size)
  }

  return {
    maxRequestsPerOrganization,
    count: () => count,
    begin(
      incoming: IncomingMessage,
      response: ServerResponse,
      head: RequestHead,
      cors: readonly string[] | undefined,
    ): Request {
      const { socket } = incoming
      count += 1
      // why: a pipelined request inherits the stall timer of the response before it
      if (socket.timeout !== 0) socket.setTimeout(0)
      return createRequest(incoming, response, head, {
        connection: connections.beginRequest(socket),
        startedAt: now(),
        receivedAt: wall(),
        requestId: requestIdOf(head.headers.requestId),
        catalog: catalog(),
        cors,
      })
    },
    /** Counts a request of the organization. False if the limit is reached. */
    admit(request: Request, { id }: Organization): boolean {
      // why: a request that has ended would never be released
      if (request.isOver) return true
      const current = requestCounts.get(id) ?? 0
      if (current >= maxRequestsPerOrganization) return false
      if (requestCounts.size >= sweepAt) sweep()
      requestCounts.set(id, current + 1)
      request.isAdmitted = true
      return true
    },
    /** Observes the request. Repeated calls are ignored. */
    end(request: Request, aborted: boolean): void {
      if (request.isOver) return
      request.isOver = true
      count -= 1
      clearTimeout(request.deadline)
      const { id } = request.organization ?? {}
      if (request.isAdmitted) requestCounts.set(id!, requestCounts.get(id!)! - 1)
      connections.endRequest(request.connection)
      onEnd(request, aborted)
      observe(requestFact(request, aborted, now()))
    },
  }
}

function requestFact(request: Request, aborted: boolean, endedAt: Milliseconds): RequestFact {
  const { response, startedAt, origin, headers, firstByteAt, problem } = request
  const cause = problem?.cause
  return {
    kind: 'request',
    requestId: origin.requestId,
    origin,
    peerAddress: request.connection.address,
    forwardedFor: headers.forwardedFor,
    traceparent: headers.traceparent,
    method: request.method,
    ...(request.name ?? nameOf(request.path, request.catalog)),
    status: aborted && !response.headersSent ? CLIENT_CLOSED_REQUEST : response.statusCode,
    problem: problem?.code,
    cause,
    cache: request.cache,
    durationMs: endedAt - startedAt,
    firstByteMs: firstByteAt === undefined ? undefined : firstByteAt - startedAt,
    ageSeconds: request.ageSeconds,
    sentBytes: request.sentBytes,
    shortcut: request.isShortcut,
    aborted,
    // why: an invalid access row has an organization, but no valid one
    organizationId:
      request.organization?.id ?? (cause instanceof InvalidAccessRow ? cause.id : undefined),
    refusal: problem?.refusal,
    retryAfterSeconds: problem?.retryAfterSeconds,
  }
}
