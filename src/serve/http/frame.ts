/**
 * What every request gets, whatever comes of it: an id, the headers that all answers share, an error
 * turned into a problem, and one observation when its answer is out or its client is gone.
 */
import { InvalidAccessRow } from '../access/invalid-access-row.ts'
import { internalError, Problem } from '../../model/errors.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { ActiveRequests, RequestFact } from './active-requests.ts'
import { frameHead, serverTiming } from './answer-head.ts'
import { setAll } from './answer.ts'
import type { HandDown } from '../fast-path/hand-down.ts'
import { setKeepAlive } from './keep-alive.ts'
import { createLazyAbort } from './lazy-abort.ts'
import type { Connections } from './connections.ts'
import { nameOf } from './paths.ts'
import type { RequestIds } from './request-ids.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { sendProblem } from './problem.ts'
import { whenEnded } from './when-ended.ts'
import type { ApiContext, ApiMiddleware } from './request-state.ts'

/**
 * A request's deadline, which its `giveUp` hands down to the queue, the connection and the statement.
 * Loaders hang up at 60 s (dlt); the status line of every answer is out well before.
 */
const LONGEST_WAIT_MS = 48_000

/** nginx's word for a client that left before its answer began. */
const CLIENT_CLOSED_REQUEST = 499

export function frame(options: {
  readonly requests: ActiveRequests
  readonly connections: Connections
  readonly now: Clock
  /** The one in use now. */
  readonly catalog: () => Catalog
  /** Of an answer that has not begun. */
  readonly longestWaitMs?: Milliseconds
  /** A client that reads nothing of its answer for so long is cut off. */
  readonly stallTimeoutMs: Milliseconds
  /** While draining, connections are closed after their answer. */
  readonly draining: () => boolean
  readonly handDown: HandDown
  readonly requestIds: RequestIds
}): ApiMiddleware {
  const { requests, connections, now, draining, stallTimeoutMs, handDown, requestIds } = options
  const { longestWaitMs = LONGEST_WAIT_MS } = options
  return async (ctx, next) => {
    const { active, lookedUp } = handDown.take(ctx.req)
    const { startedAt } = active
    const requestId = requestIds.of(ctx.get('X-Request-Id'))
    const giveUp = createLazyAbort()
    const deadline = setTimeout(
      () => giveUp.abort(tooLong()),
      longestWaitMs - (lookedUp?.lookupMs ?? 0),
    )
    const catalog = options.catalog()
    ctx.state = {
      requestId,
      startedAt,
      catalog,
      get giveUp() {
        return giveUp.signal()
      },
      ...nameOf(ctx.path, catalog),
      timings: [],
      active,
      lookedUp,
    }
    // why: a pipelined request inherits the stall timer of the answer before it
    ctx.req.socket.setTimeout(0)
    const ended = (aborted: boolean): void => {
      clearTimeout(deadline)
      if (aborted) giveUp.abort(new Error('the client is gone'))
      requests.end(active, requestFact(ctx, aborted, now() - startedAt))
    }
    // why: a client may have left while the shortcut looked its key up
    if (ctx.res.closed) return ended(true)
    whenEnded(ctx.res, ctx.req.socket, ended)
    try {
      setAll(ctx, frameHead(requestId))
      if (draining()) ctx.set('Connection', 'close')
      await next()
    } catch (error) {
      if (ctx.res.closed) return
      const problem = error instanceof Problem ? error : internalError(error)
      ctx.state.problem = problem.code
      ctx.state.cause = problem.cause
      ctx.state.refusal = problem.refusal
      ctx.state.retryAfterSeconds = problem.retryAfterSeconds
      sendProblem(ctx, problem)
    }
    setKeepAlive(ctx.res, ctx.status, active.connection, connections)
    const { timings } = ctx.state
    if (timings.length > 0 && !ctx.headerSent) ctx.set('Server-Timing', serverTiming(timings))
    if (!ctx.res.writableEnded) ctx.res.setTimeout(stallTimeoutMs, () => ctx.res.destroy())
  }
}

function tooLong(): Problem {
  return new Problem(
    'report_timeout',
    {
      ru: 'Ответ не успел построиться. Повторите запрос позже или возьмите период короче.',
      en: 'The answer was not ready in time. Try again later, or take a shorter period.',
    },
    { retryAfterSeconds: 30 },
  )
}

function requestFact(ctx: ApiContext, aborted: boolean, durationMs: Milliseconds): RequestFact {
  const { state } = ctx
  return {
    kind: 'request',
    requestId: state.requestId,
    method: ctx.method,
    route: state.route,
    report: state.report,
    status: aborted && !ctx.res.headersSent ? CLIENT_CLOSED_REQUEST : ctx.res.statusCode,
    problem: state.problem,
    cause: state.cause,
    cache: state.cache,
    format: state.format,
    durationMs,
    sentBytes: ctx.method === 'HEAD' ? 0 : (state.streamedBytes ?? ctx.length ?? 0),
    shortcut: false,
    aborted,
    organizationId: state.organization?.id ?? organizationOfRow(state.cause),
    refusal: state.refusal,
    retryAfterSeconds: state.retryAfterSeconds,
  }
}

/** Of a key whose access row is not valid. */
function organizationOfRow(cause: unknown): string | undefined {
  return cause instanceof InvalidAccessRow ? cause.organizationId : undefined
}
