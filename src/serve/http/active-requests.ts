/** Requests from their arrival to the end of their response: each is counted, limited and observed once. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { InvalidAccessRow } from '../access/invalid-access-row.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type Koa from 'koa'
import type { ProblemCode, RefusalReason } from '../../model/errors.ts'
import type { Observation, Observe, Route } from '../../model/observation.ts'
import type {
  Bytes,
  CacheOutcome,
  Clock,
  Milliseconds,
  Organization,
  ReportFormat,
  Seconds,
} from '../../model/terms.ts'
import type { PlainRequest } from '../fast-path/plain-request.ts'
import type { Connection, Connections } from './connections.ts'
import { nameOf } from './paths.ts'
import { parseTarget } from './request-head.ts'

/** A stage of a request and what it took, for `Server-Timing`. */
export type Timing = readonly [stage: 'auth' | 'cache', durationMs: Milliseconds]

export interface RequestState {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connection: Connection
  readonly startedAt: Milliseconds
  /** The client's own, or one of ours. */
  readonly requestId: string
  /** As it was when the request came: it ends with the definitions that it began with. */
  readonly catalog: Catalog
  /** Aborts when the client has disconnected, or at the deadline. */
  signal: AbortSignal
  /** Set by the fast path if the request is one for it. */
  plain: PlainRequest | undefined
  /** The response is sent without Koa. */
  isFast: boolean
  /** Undefined where the path says it. */
  route: Route | undefined
  /** A report's code that exists. */
  report: string | undefined
  /** Set once the key has been checked. */
  organization: Organization | undefined
  /** It counts among the organization's requests. */
  isAdmitted: boolean
  isOver: boolean
  cache: CacheOutcome | undefined
  /** Of a report that is answered. */
  format: ReportFormat | undefined
  problem: ProblemCode | undefined
  refusal: RefusalReason | undefined
  retryAfterSeconds: Seconds | undefined
  cause: unknown
  /** Bytes of a body without the header `Content-Length`, or of one that is sent in parts. */
  streamedBytes: Bytes | undefined
  timings: Timing[]
}

export type ApiContext = Koa.ParameterizedContext<RequestState>
export type ApiMiddleware = Koa.Middleware<RequestState>

/** The organization of a request that has passed `authenticate`. */
export function organizationOf({ state }: ApiContext): Organization {
  if (!state.organization) throw new Error('the route stands before authenticate')
  return state.organization
}

export type RequestFact = Extract<Observation, { kind: 'request' }>

export interface ActiveRequests {
  readonly maxRequestsPerOrganization: number
  begin(request: IncomingMessage, response: ServerResponse): RequestState
  /** Counts it among the organization's requests. False where there are as many as there may be. */
  admit(state: RequestState, organization: Organization): boolean
  /**
   * Ends it when its response has been sent, or its client has disconnected.
   * @param ended is called before it is observed
   */
  endWithResponse(state: RequestState, ended?: (aborted: boolean) => void): void
  /** Observes it. Only the first call for a request does anything. */
  end(state: RequestState, aborted: boolean): void
  count(): number
}

/** Counts of 0 are dropped once there are so many counts. */
const SWEEP_AT = 20_000

/** nginx's word for a client that left before its answer began. */
const CLIENT_CLOSED_REQUEST = 499

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

/** Of requests that have no deadline. */
const NEVER = new AbortController().signal

export function createActiveRequests(options: {
  readonly connections: Connections
  /** The one in use now. */
  readonly catalog: () => Catalog
  readonly maxRequestsPerOrganization: number
  readonly observe: Observe
  readonly now: Clock
}): ActiveRequests {
  const { connections, catalog, maxRequestsPerOrganization, observe, now } = options
  /** Tells processes and restarts apart: two of 100,000 have the same one with a probability of 3e-10. */
  const idPrefix = randomBytes(8).toString('hex')
  let idCount = 0
  let count = 0
  /** With a `delete` for each count that becomes 0, a hit takes 7 % more CPU time. */
  let countOf = new Map<string, number>()
  let sweepAt = SWEEP_AT

  function requestIdOf(header: string | string[] | undefined): string {
    if (typeof header === 'string' && CLIENT_REQUEST_ID.test(header)) return header
    idCount += 1
    return `${idPrefix}-${idCount}`
  }

  function sweep(): void {
    countOf = new Map([...countOf].filter(([, some]) => some > 0))
    sweepAt = Math.max(SWEEP_AT, 2 * countOf.size)
  }

  function end(state: RequestState, aborted: boolean): void {
    if (state.isOver) return
    state.isOver = true
    count -= 1
    const { organization } = state
    if (state.isAdmitted) countOf.set(organization!.id, countOf.get(organization!.id)! - 1)
    connections.endRequest(state.connection)
    observe(requestFact(state, aborted, now() - state.startedAt))
  }

  return {
    maxRequestsPerOrganization,
    count: () => count,
    begin(request, response) {
      const { socket } = request
      count += 1
      // why: a pipelined request inherits the stall timer of the response before it
      if (socket.timeout !== 0) socket.setTimeout(0)
      return {
        request,
        response,
        connection: connections.beginRequest(socket),
        startedAt: now(),
        requestId: requestIdOf(request.headers['x-request-id']),
        catalog: catalog(),
        signal: NEVER,
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
        streamedBytes: undefined,
        timings: [],
      }
    },
    admit(state, { id }) {
      // why: one whose client disconnected is never released again
      if (state.isOver) return true
      const others = countOf.get(id) ?? 0
      if (others >= maxRequestsPerOrganization) return false
      if (countOf.size >= sweepAt) sweep()
      countOf.set(id, others + 1)
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
      // why: Node 20 finishes a response whose socket was destroyed in its middle, too
      let aborted = true
      response.once('finish', () => (aborted = request.socket.destroyed))
      response.once('close', () => endOnce(aborted))
    },
    end,
  }
}

function requestFact(state: RequestState, aborted: boolean, durationMs: number): RequestFact {
  const { request, response, requestId, cause, catalog, problem, cache, format } = state
  const { method = 'unknown', url = '' } = request
  const { route, report } =
    state.route === undefined
      ? { report: undefined, ...nameOf(parseTarget(url)?.path ?? '', catalog) }
      : { route: state.route, report: state.report }
  return {
    kind: 'request',
    requestId,
    method,
    route,
    report,
    status: aborted && !response.headersSent ? CLIENT_CLOSED_REQUEST : response.statusCode,
    problem,
    cause,
    cache,
    format,
    durationMs,
    sentBytes: method === 'HEAD' ? 0 : (state.streamedBytes ?? contentLength(response)),
    shortcut: state.isFast,
    aborted,
    organizationId: state.organization?.id ?? organizationOfRow(cause),
    refusal: state.refusal,
    retryAfterSeconds: state.retryAfterSeconds,
  }
}

function contentLength(response: ServerResponse): Bytes {
  return Number(response.getHeader('Content-Length') ?? 0)
}

/** Of a key whose access row is not valid. */
function organizationOfRow(cause: unknown): string | undefined {
  return cause instanceof InvalidAccessRow ? cause.organizationId : undefined
}
