/**
 * A request, from its head to its response:
 *
 *     Request -> Organization -> ReportRequest -> Rows -> Body -> Response
 *
 * Order of checks: key, tier, number of requests, path, method, parameters. Knows neither Koa nor databases.
 */
import { PREFIX } from '../model/api-prefix.ts'
import { Problem } from '../model/errors.ts'
import type { Cache } from './cache/cache.ts'
import type { ActiveRequests } from './http/active-requests.ts'
import type { Authentication } from './http/authenticate.ts'
import { cacheRequest, settleAtEnd } from './http/cache-request.ts'
import { readCompared } from './http/compared-report.ts'
import type { FastPath } from './http/fast-path/fast-path.ts'
import { respondWithMetrics } from './http/metrics-route.ts'
import { askedReport, reportResponse } from './http/report-route.ts'
import type { Exchange } from './http/request.ts'
import { API_HEAD, createCorsHead, isPreflight, type Response } from './http/response.ts'
import { createRouter, type Handlers } from './http/router.ts'
import { DESCRIPTIONS } from './http/schema-routes.ts'
import type { Sender } from './http/sender.ts'
import type { Listener } from './http/server.ts'
import type { LoadMetrics } from './report/load-metrics.ts'
import type { LoadReport } from './report/load-report.ts'
import type { OutgoingBodies } from './report/outgoing-bodies.ts'
import type { Observe } from '../model/observation.ts'

export function createRespond(options: {
  readonly corsOrigins: readonly string[] | undefined
  readonly requests: ActiveRequests
  readonly authentication: Authentication
  /** Undefined: the router chooses the route of all requests. */
  readonly fastPath: FastPath | undefined
  /** Handlers of the page. */
  readonly pages: Handlers
  readonly cache: Cache
  readonly loadReport: LoadReport
  readonly loadMetrics: LoadMetrics
  readonly outgoingBodies: OutgoingBodies
  readonly sender: Sender
  readonly observe: Observe
}): Listener {
  const { requests, authentication, fastPath, cache, sender } = options
  const { loadReport, loadMetrics, outgoingBodies, corsOrigins } = options
  const corsHead = corsOrigins && createCorsHead(corsOrigins)

  const routes: Handlers = new Map(
    Object.entries({
      ...DESCRIPTIONS,
      '/reports/:code': respondWithReport,
      '/metrics': (exchange: Exchange) => respondWithMetrics(exchange, cache, loadMetrics),
    }),
  )
  const route = createRouter({ ...options, routes, respond: respondBy })

  function respondWithReport(exchange: Exchange, name: string): Promise<Response> {
    const { request, access } = exchange
    const asked = askedReport(request, access!.organization, name)
    exchange.asked = asked
    const { report } = asked
    const cached = asked.compare
      ? readCompared(exchange, report, cache, loadReport, outgoingBodies)
      : cache.get(cacheRequest(request, report), stop => loadReport(report, stop, request.origin))
    return cached.then(found =>
      reportResponse(exchange, asked, settleAtEnd(exchange, found), cache, sender),
    )
  }

  /** Sends the response of a route, or why it has none, to a client whose key is still valid. */
  async function respondBy(
    exchange: Exchange,
    make: (exchange: Exchange, code: string) => Response | Promise<Response>,
    code: string,
  ): Promise<void> {
    try {
      let response: Response | undefined
      let failure: { readonly error: unknown } | undefined
      try {
        response = await make(exchange, code)
      } catch (error) {
        failure = { error }
      }
      const lookUp = authentication.checkAgain(exchange)
      if (lookUp !== undefined) await lookUp
      if (failure !== undefined) throw failure.error
      fastPath?.remember(exchange, response!)
      sender.send(exchange, response!)
    } catch (error) {
      if (!exchange.isOver) sender.sendProblem(exchange, error)
    }
  }

  function respondByRoute(exchange: Exchange): void {
    const { request, outgoing } = exchange
    outgoing.once('close', () => {
      if (exchange.isOver) return
      request.stop.stop(new Error('the client disconnected'))
      requests.end(exchange, true)
    })
    route(exchange)
  }

  return (incoming, outgoing, head) => {
    const cors = corsHead?.(incoming.method, head)
    const exchange = requests.begin(incoming, outgoing, head, cors)
    const { request } = exchange
    if (request.problem !== undefined) {
      // why: to close while a body arrives would reset the connection, and the client would not get the problem
      const hasBody = incoming.headers['content-length'] !== undefined
      return sender.sendProblem(exchange, request.problem, hasBody ? [] : ['Connection', 'close'])
    }
    if (cors?.length && isPreflight(request.method, request.headers))
      return sender.sendBytes(exchange, 204, [...API_HEAD])
    const { path } = request
    if (path !== PREFIX && !path.startsWith(`${PREFIX}/`)) return respondByRoute(exchange)
    authentication.check(exchange, access => {
      const problem = access instanceof Problem ? access : requests.admit(exchange, access)
      if (outgoing.closed) return requests.end(exchange, true)
      if (problem !== undefined) return sender.sendProblem(exchange, problem)
      try {
        const cached = fastPath?.find(exchange)
        if (cached === undefined) respondByRoute(exchange)
        else sender.send(exchange, cached)
      } catch (error) {
        sender.sendProblem(exchange, error)
      }
    })
  }
}
