/** What is known of a request while it passes through the chain. */
import type Koa from 'koa'
import type { Catalog } from '../../definitions/definition.ts'
import type { ProblemCode, RefusalReason } from '../../model/errors.ts'
import type { Route } from '../../model/observation.ts'
import type {
  CacheOutcome,
  Milliseconds,
  Organization,
  ReportFormat,
  Seconds,
} from '../../model/terms.ts'
import type { ActiveRequest } from './active-requests.ts'
import type { Timing } from './answer-head.ts'
import type { LookedUp } from '../fast-path/hand-down.ts'

export interface RequestState {
  requestId: string
  startedAt: Milliseconds
  /** As it was when the request came here: it ends with the definition that it began with. */
  catalog: Catalog
  /** Aborts when nobody waits for the answer any more: the client has left, or its patience is over. */
  giveUp: AbortSignal
  route: Route
  /** A report's code that exists. */
  report?: string
  /** Set once the key has been checked. */
  organization?: Organization
  cache?: CacheOutcome
  /** Of a report that is answered. */
  format?: ReportFormat
  problem?: ProblemCode
  refusal?: RefusalReason | undefined
  retryAfterSeconds?: Seconds | undefined
  cause?: unknown
  /** Bytes of a streamed body, counted as they go out. */
  streamedBytes?: number
  timings: Timing[]
  active: ActiveRequest
  /** Where the shortcut has looked the key up. */
  lookedUp: LookedUp | undefined
}

export type ApiContext = Koa.ParameterizedContext<RequestState>
export type ApiMiddleware = Koa.Middleware<RequestState>

/** The organization of a request that has passed `authenticate`. */
export function organizationOf(ctx: ApiContext): Organization {
  const { organization } = ctx.state
  if (!organization) throw new Error('the route stands before authenticate')
  return organization
}
