/** Requests in flight: each is counted, limited and observed once. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { InvalidAccessRow } from '../access/invalid-access-row.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type Koa from 'koa'
import type { ProblemCode, RefusalReason } from '../../model/errors.ts'
import type { Observation, Observe, RequestOrigin, Route } from '../../model/observation.ts'
import type {
  Bytes,
  CacheOutcome,
  Clock,
  Milliseconds,
  Organization,
  ReportFormat,
  Seconds,
} from '../../model/terms.ts'
import type { PlainRequest } from './fast-path/plain-request.ts'
import type { Connection, Connections } from './connections.ts'
import { nameOf } from './paths.ts'
import { parseTarget } from './request-head.ts'

/** A stage of a request and its duration, for `Server-Timing`. */
export type Timing = readonly [stage: 'auth' | 'cache', durationMs: Milliseconds]

export interface RequestState {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connection: Connection
  readonly startedAt: Milliseconds
  /** By the wall clock: determines today's date. */
  readonly receivedAt: Milliseconds
  /** `X-Request-Id` of the client, or a generated one. */
  readonly requestId: string
  /** Identifies the request in observations. */
  readonly origin: RequestOrigin
  /** The catalog at the start of the request, which is used until its end. */
  readonly catalog: Catalog
  /** Aborts when the client has disconnected, or at the deadline. */
  signal: AbortSignal
  /** Headers of `CORS_ORIGINS`; undefined without that setting. */
  cors: readonly string[] | undefined
  /** Set by the fast path if the request is plain. */
  plain: PlainRequest | undefined
  /** The response was sent without Koa. */
  isFast: boolean
  /** If undefined, it is derived from the path. */
  route: Route | undefined
  /** The code of an existing report. */
  report: string | undefined
  /** Set once the key has been checked. */
  organization: Organization | undefined
  /** Counted among the organization's requests. */
  isAdmitted: boolean
  isOver: boolean
  cache: CacheOutcome | undefined
  /** The format of a report's response. */
  format: ReportFormat | undefined
  problem: ProblemCode | undefined
  refusal: RefusalReason | undefined
  retryAfterSeconds: Seconds | undefined
  cause: unknown
  /** When the head was sent; if undefined, at the end of the request. */
  firstByteAt: Milliseconds | undefined
  /** Age of a response from the cache. */
  ageSeconds: Seconds | undefined
  /** Bytes of a body without `Content-Length`, or of one that is sent in parts. */
  streamedBytes: Bytes | undefined
  timings: Timing[]
}

export type ApiContext = Koa.ParameterizedContext<RequestState>
export type ApiMiddleware = Koa.Middleware<RequestState>

/** The organization of a request that has passed `authenticate`. */
export function organizationOf({ state }: ApiContext): Organization {
  if (!state.organization) throw new Error('the route runs before authenticate')
  return state.organization
}

export type RequestFact = Extract<Observation, { kind: 'request' }>

export interface ActiveRequests {
  readonly maxRequestsPerOrganization: number
  begin(request: IncomingMessage, response: ServerResponse): RequestState
  /** Counts a request of the organization. False if the limit is reached. */
  admit(state: RequestState, organization: Organization): boolean
  /**
   * Ends the request when its response is sent or its client disconnects.
   * @param ended called before the request is observed
   */
  endWithResponse(state: RequestState, ended?: (aborted: boolean) => void): void
  /** Observes the request. Repeated calls are ignored. */
  end(state: RequestState, aborted: boolean): void
  count(): number
}

/** Counts of 0 are removed when the map reaches this size. */
const SWEEP_AT = 20_000

/** nginx's status for a client that disconnected before the response began. */
const CLIENT_CLOSED_REQUEST = 499

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

/** The signal of requests without a deadline. */
const NEVER = new AbortController().signal

export function createActiveRequests(options: {
  readonly connections: Connections
  /** The catalog in use now. */
  readonly catalog: () => Catalog
  readonly maxRequestsPerOrganization: number
  readonly observe: Observe
  readonly now: Clock
  readonly wall: Clock
}): ActiveRequests {
  const { connections, catalog, maxRequestsPerOrganization, observe, now, wall } = options
  /** Differs per process and restart: two of 100,000 are equal with a probability of 3e-10. */
  const idPrefix = randomBytes(8).toString('hex')
  let idCount = 0
  let count = 0
  /** Entries of 0 remain for a while: a `delete` for each costs 7 % CPU time of a hit. */
  let requestCounts = new Map<string, number>()
  let sweepAt = SWEEP_AT

  function requestIdOf(header: string | string[] | undefined): string {
    if (typeof header === 'string' && CLIENT_REQUEST_ID.test(header)) return header
    idCount += 1
    return `${idPrefix}-${idCount}`
  }

  function sweep(): void {
    requestCounts = new Map([...requestCounts].filter(([, requestCount]) => requestCount > 0))
    sweepAt = Math.max(SWEEP_AT, 2 * requestCounts.size)
  }

  function end(state: RequestState, aborted: boolean): void {
    if (state.isOver) return
    state.isOver = true
    count -= 1
    const { organization } = state
    if (state.isAdmitted)
      requestCounts.set(organization!.id, requestCounts.get(organization!.id)! - 1)
    connections.endRequest(state.connection)
    observe(requestFact(state, aborted, now()))
  }

  return {
    maxRequestsPerOrganization,
    count: () => count,
    begin(request, response) {
      const { socket } = request
      count += 1
      // why: a pipelined request inherits the stall timer of the response before it
      if (socket.timeout !== 0) socket.setTimeout(0)
      const startedAt = now()
      const requestId = requestIdOf(request.headers['x-request-id'])
      return {
        request,
        response,
        connection: connections.beginRequest(socket),
        startedAt,
        receivedAt: wall(),
        requestId,
        origin: { requestId },
        catalog: catalog(),
        signal: NEVER,
        cors: undefined,
        plain: undefined,
        isFast: false,
        route: undefined,
        report: undefined,
        organization: undefined,
        isAdmitted: false,
        isOver: false,
        cache: undefined,
        format: undefined,
        problem: undefined,
        refusal: undefined,
        retryAfterSeconds: undefined,
        cause: undefined,
        firstByteAt: undefined,
        ageSeconds: undefined,
        streamedBytes: undefined,
        timings: [],
      }
    },
    admit(state, { id }) {
      // why: a request that has ended would never be released
      if (state.isOver) return true
      const current = requestCounts.get(id) ?? 0
      if (current >= maxRequestsPerOrganization) return false
      if (requestCounts.size >= sweepAt) sweep()
      requestCounts.set(id, current + 1)
      state.isAdmitted = true
      return true
    },
    endWithResponse(state, ended) {
      const { request, response } = state
      const endOnce = (aborted: boolean): void => {
        ended?.(aborted)
        end(state, aborted)
      }
      if (response.closed) return endOnce(true)
      // why: Node 20 emits 'finish' even if the socket was destroyed during the response
      let aborted = true
      response.once('finish', () => (aborted = request.socket.destroyed))
      response.once('close', () => endOnce(aborted))
    },
    end,
  }
}

function requestFact(state: RequestState, aborted: boolean, endedAt: Milliseconds): RequestFact {
  const { request, response, startedAt, requestId, cause, catalog, problem, cache, format } = state
  const { method = 'unknown', url = '' } = request
  const { route, report } =
    state.route === undefined
      ? { report: undefined, ...nameOf(parseTarget(url)?.path ?? '', catalog) }
      : { route: state.route, report: state.report }
  return {
    kind: 'request',
    requestId,
    origin: state.origin,
    peerAddress: state.connection.address,
    forwardedFor: request.headers['x-forwarded-for'],
    traceparent: request.headers['traceparent'],
    method,
    route,
    report,
    status: aborted && !response.headersSent ? CLIENT_CLOSED_REQUEST : response.statusCode,
    problem,
    cause,
    cache,
    format,
    durationMs: endedAt - startedAt,
    firstByteMs: response.headersSent ? (state.firstByteAt ?? endedAt) - startedAt : undefined,
    ageSeconds: state.ageSeconds,
    sentBytes: method === 'HEAD' ? 0 : (state.streamedBytes ?? contentLength(response)),
    shortcut: state.isFast,
    aborted,
    organizationId: state.organization?.id ?? organizationInRow(cause),
    refusal: state.refusal,
    retryAfterSeconds: state.retryAfterSeconds,
  }
}

function contentLength(response: ServerResponse): Bytes {
  return Number(response.getHeader('Content-Length') ?? 0)
}

/** The organization of an invalid access row. */
function organizationInRow(cause: unknown): string | undefined {
  return cause instanceof InvalidAccessRow ? cause.organizationId : undefined
}
