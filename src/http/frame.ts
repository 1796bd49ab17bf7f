/**
 * What every request gets, whatever comes of it: an id, the headers that all answers share, an error
 * turned into a problem, and one observation when its answer is out or its client is gone.
 */
import { internalError, Problem } from '../errors.ts'
import type { Catalog } from '../definitions/definition.ts'
import type { Observe } from '../observation.ts'
import { nameOf } from './paths.ts'
import type { Clock, Milliseconds } from '../terms.ts'
import { sendProblem } from './problem.ts'
import { createRequestIds } from './request-ids.ts'
import type { ApiContext, ApiMiddleware } from './request-state.ts'

/** Loaders hang up at 60 s (dlt); the status line of every answer is out well before. */
const LONGEST_WAIT_MS = 48_000

/** nginx's word for a client that left before its answer began. */
const CLIENT_CLOSED_REQUEST = 499

export function frame(options: {
  readonly observe: Observe
  readonly now: Clock
  /** The one in use now. */
  readonly catalog: () => Catalog
  /** A client that reads nothing of its answer for so long is cut off. */
  readonly stallTimeoutMs: Milliseconds
  /** While draining, connections are closed after their answer. */
  readonly draining: () => boolean
}): ApiMiddleware {
  const { observe, now, draining, stallTimeoutMs } = options
  const requestIds = createRequestIds()
  return async (ctx, next) => {
    const startedAt = now()
    const requestId = requestIds.of(ctx.get('X-Request-Id'))
    const giveUp = new AbortController()
    const patience = setTimeout(() => giveUp.abort(tooLong()), LONGEST_WAIT_MS)
    const catalog = options.catalog()
    const named = nameOf(ctx.path, catalog)
    ctx.state = { requestId, startedAt, catalog, giveUp: giveUp.signal, ...named, timings: [] }
    // why: Node 20 finishes a response whose socket was destroyed in its middle, too
    let aborted = true
    ctx.res.once('finish', () => (aborted = ctx.req.socket.destroyed))
    // why: a pipelined request inherits the stall timer of the answer before it
    ctx.req.socket.setTimeout(0)
    ctx.res.once('close', () => {
      clearTimeout(patience)
      if (aborted) giveUp.abort(new Error('the client is gone'))
      observe(requestObservation(ctx, aborted, now() - startedAt))
    })
    ctx.set({
      'X-Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Authorization, X-Api-Key, Accept, Accept-Encoding',
    })
    if (draining()) ctx.set('Connection', 'close')
    try {
      await next()
    } catch (error) {
      if (ctx.res.closed) return
      const problem = error instanceof Problem ? error : internalError(error)
      ctx.state.problem = problem.code
      ctx.state.cause = problem.cause
      sendProblem(ctx, problem)
    }
    const timings = ctx.state.timings.map(([stage, ms]) => `${stage};dur=${ms.toFixed(1)}`)
    if (timings.length > 0 && !ctx.headerSent) ctx.set('Server-Timing', timings.join(', '))
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

function requestObservation(
  ctx: ApiContext,
  aborted: boolean,
  durationMs: number,
): Parameters<Observe>[0] {
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
    durationMs,
    sentBytes: ctx.method === 'HEAD' ? 0 : (state.streamedBytes ?? ctx.length ?? 0),
    aborted,
    organizationId: state.organization?.id,
  }
}
