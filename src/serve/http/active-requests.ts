/** Requests in flight and the connections of the public port: limited, stopped at their deadline, observed at their end. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { ReportRequest } from '../report/report-request.ts'
import { Problem } from '../../model/errors.ts'
import type { Fact, Observe } from '../../model/observation.ts'
import type { CacheOutcome, Clock, Milliseconds } from '../../model/terms.ts'
import type { Organization, ReportFormat } from '../../model/terms.ts'
import { InvalidAccessRow } from '../access/access-rows.ts'
import { createRequest, nameOf, type Access, type Request, type RequestHead } from './request.ts'
import type { Response } from './response.ts'

interface Connection {
  readonly socket: Socket
  /** why: a closed socket has no peer's address */
  readonly address: string | undefined
  readonly openedAt: Milliseconds
  /** The one of the last valid key. */
  organizationId: string | undefined
  requestCount: number
  /** Responses 401 since the last valid key. */
  unauthorizedCount: number
}

/** A request in flight, and where its response goes. */
export interface Exchange {
  readonly request: Request
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly connection: Connection
  /** Called at its end, with its record. */
  readonly endings: Array<(record: Fact<'request'>) => void>
}

/** How far a request has come: each stage adds to a copy what it has found. */
export interface Progress {
  readonly access?: Access | undefined
  /** What its parameters say; undefined for a path without a cache. */
  readonly asked?:
    | {
        readonly hasIgnored: boolean
        readonly format?: ReportFormat
        readonly report?: Pick<ReportRequest, 'parameters'>
      }
    | undefined
  readonly response?: Response | undefined
  /** Sent instead of the response, or the reason why only a part of it was sent. */
  readonly problem?: Problem | undefined
}

/** What the client got. */
type Sent = Pick<Fact<'request'>, 'firstByteMs' | 'sentBytes' | 'aborted'>

export type ActiveRequests = ReturnType<typeof createActiveRequests>

/** A new connection has this time for its first request, while others may be closed. */
const GRACE_MS: Milliseconds = 1000

/** Counts of 0 are removed when the map reaches this size. */
const SWEEP_AT = 20_000

/** nginx's status for a client that disconnected before the response began. */
const CLIENT_CLOSED_REQUEST = 499

/** why: a timer for each request costs more than a look at all of them */
const DEADLINES_EVERY_MS: Milliseconds = 100

export function createActiveRequests(options: {
  /** The catalog in use now. */
  readonly catalog: () => Catalog
  /** Paths of the page. */
  readonly pages: ReadonlyMap<string, unknown>
  readonly config: Config
  readonly observe: Observe
  readonly now: Clock
  readonly wall: Clock
}) {
  const { catalog, pages, observe, now, wall, config } = options
  const { maxConnections, maxUnauthorizedInARow, maxRequestsPerOrganization: maxRequests } = config
  const bySocket = new WeakMap<Socket, Connection>()
  /** In the order of their last requests; those without one in the order of their opening. */
  const connections = new Set<Connection>()
  const active: Exchange[] = []
  /** Entries of 0 remain for a while: a `delete` for each costs 7 % CPU time of a hit. */
  let requestCounts = new Map<string, number>()

  const deadlines = setInterval(() => {
    const startedBefore = now() - config.longestWaitMs
    for (const { request } of active)
      if (request.startedAt <= startedBefore && request.stop.reason === undefined)
        request.stop.stop(DEADLINE_PASSED)
  }, DEADLINES_EVERY_MS).unref()

  /**
   * What a new connection takes the place of: the oldest without a valid key, but in its grace only if there is no idle
   * one of an organization that has its share or more, of which the longest idle goes. Undefined if all have requests.
   */
  function leastUseful(at: Milliseconds): Connection | undefined {
    const counts = new Map<string, number>()
    let oldest: Connection | undefined
    for (const connection of connections) {
      const { organizationId, openedAt } = connection
      if (organizationId === undefined) {
        if (at - openedAt >= GRACE_MS) return connection
        oldest ??= connection
      } else counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
    }
    const share = Math.min(maxConnections / 2, connections.size / counts.size)
    for (const connection of connections) {
      const { organizationId = '', requestCount } = connection
      if (requestCount === 0 && (counts.get(organizationId) ?? 0) >= share) return connection
    }
    return oldest
  }

  function open(socket: Socket): Connection {
    const openedAt = performance.now()
    const state = { organizationId: undefined, requestCount: 0, unauthorizedCount: 0 }
    const connection: Connection = { socket, address: socket.remoteAddress, openedAt, ...state }
    const isAtLimit = connections.size >= maxConnections
    const closed = isAtLimit ? (leastUseful(openedAt) ?? connection) : undefined
    bySocket.set(socket, connection)
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
    if (closed !== undefined) {
      connections.delete(closed)
      closed.socket.destroy()
      observe({ kind: 'connection-closed', reason: 'limit' })
    }
    return connection
  }

  function recordOf(exchange: Exchange, progress: Progress, sent: Sent): Fact<'request'> {
    const { request, outgoing } = exchange
    const { response, problem, access, asked } = progress
    const { origin, headers, method, path } = request
    const cause = problem?.cause
    const rejectedId = cause instanceof InvalidAccessRow ? cause.id : undefined
    const { route, report } = nameOf(path, pages, catalog())
    const { firstByteMs, sentBytes, aborted } = sent
    return {
      kind: 'request',
      requestId: origin.requestId,
      origin,
      peerAddress: exchange.connection.address,
      forwardedFor: headers.forwardedFor,
      traceparent: headers.traceparent,
      method,
      route,
      report,
      values: asked?.report?.parameters.size ? asked.report.parameters : undefined,
      status: aborted && !outgoing.headersSent ? CLIENT_CLOSED_REQUEST : outgoing.statusCode,
      problem: problem?.code,
      cause,
      refusal: problem?.refusal,
      retryAfterSeconds: problem?.retryAfterSeconds,
      cache: cacheOutcomeOf(progress),
      format: response?.format ?? asked?.format,
      durationMs: now() - request.startedAt,
      ageSeconds: response?.metadata?.ageSeconds,
      shortcut: response?.isShortcut === true,
      organizationId: access?.organization.id ?? rejectedId,
      firstByteMs,
      sentBytes,
      aborted,
    }
  }

  return {
    count: () => active.length,
    /** Call for each new connection. Closes one if there are too many. */
    open,
    begin(incoming: IncomingMessage, outgoing: ServerResponse, head: RequestHead): Exchange {
      const { socket } = incoming
      // why: a pipelined request inherits the stall timer of the response before it
      if (socket.timeout !== 0) socket.setTimeout(0)
      const connection = bySocket.get(socket) ?? open(socket)
      connection.requestCount += 1
      const request = createRequest(incoming, head, now(), wall(), catalog().product)
      const exchange = { request, incoming, outgoing, connection, endings: [] }
      active.push(exchange)
      return exchange
    },
    /** Counts a request of the organization until its end. @returns a Problem if the limit is exceeded */
    admit({ id }: Organization): Problem | undefined {
      const count = (requestCounts.get(id) ?? 0) + 1
      if (requestCounts.size >= SWEEP_AT)
        requestCounts = new Map([...requestCounts].filter(([, one]) => one > 0))
      requestCounts.set(id, count)
      return count > maxRequests ? tooManyRequests(maxRequests) : undefined
    },
    noteValidKey(connection: Connection, { id }: Organization): void {
      connection.organizationId = id
      connection.unauthorizedCount = 0
    },
    /** Counts a response 401. @returns whether the connection is closed after it */
    endsUnauthorized(connection: Connection): boolean {
      connection.unauthorizedCount += 1
      if (connection.unauthorizedCount !== maxUnauthorizedInARow) return false
      observe({ kind: 'connection-closed', reason: 'unauthorized' })
      return true
    },
    /** Makes the record of the request. Repeated calls are ignored. */
    end(exchange: Exchange, progress: Progress, sent: Sent): void {
      const at = active.lastIndexOf(exchange)
      if (at < 0) return
      const last = active.pop()!
      if (last !== exchange) active[at] = last
      const { connection, endings } = exchange
      const id = progress.access?.organization.id
      if (id !== undefined) requestCounts.set(id, requestCounts.get(id)! - 1)
      connection.requestCount -= 1
      // why: the longest idle one is first
      if (connections.delete(connection)) connections.add(connection)
      const record = recordOf(exchange, progress, sent)
      for (const ending of endings) ending(record)
      observe(record)
    },
    /** Closes connections without a request: Node considers them active, and would wait for them when it stops. */
    closeUnused(): void {
      for (const { socket } of connections) if (socket.bytesRead === 0) socket.destroy()
    },
    close: () => clearInterval(deadlines),
  }
}

/** Undefined for a path without a cache; a miss until there is a response. */
export function cacheOutcomeOf({ response, asked }: Progress): CacheOutcome | undefined {
  return response?.metadata?.outcome ?? (asked && 'miss')
}

function tooManyRequests(max: number): Problem {
  return new Problem(
    'rate_limited',
    texts => texts.tooManyRequests(max),
    // why: most requests end within a second
    { retryAfterSeconds: 1, refusal: 'requests' },
  )
}

// why: created once, since an error's stack is costly, and many requests may wait for one load
const DEADLINE_PASSED = new Problem('overloaded', texts => texts.stillLoading, {
  retryAfterSeconds: 10,
})
