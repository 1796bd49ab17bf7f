/** What is known of a request, from its arrival to the end of its response. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type Koa from 'koa'
import type { Catalog } from '../../definitions/definition.ts'
import type { ProblemCode, RefusalReason } from '../../model/errors.ts'
import type { Route } from '../../model/observation.ts'
import type {
  Bytes,
  CacheOutcome,
  Milliseconds,
  Organization,
  ReportFormat,
  Seconds,
} from '../../model/terms.ts'
import type { PlainRequest } from '../fast-path/plain-request.ts'
import type { Connection } from './connections.ts'

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
