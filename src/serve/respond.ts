/**
 * A request, from its head to its response:
 *
 *     Request -> Organization -> ReportRequest -> Rows -> Body -> Response
 *
 * Order of checks: key, tier, number of requests, path, method, what the key may read, parameters. Knows neither Koa nor databases.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PREFIX } from '../model/terms.ts'
import { Problem } from '../model/errors.ts'
import type { Cache } from './cache/cache.ts'
import type { Cached } from './cache/entry.ts'
import type { ActiveRequests, Exchange, Progress } from './http/active-requests.ts'
import type { Authentication } from './http/authenticate.ts'
import { readCompared, readTogether } from './http/combined-reports.ts'
import type { FastPath } from './http/fast-path/fast-path.ts'
import { metricsResponse, readMetricsQuery } from './http/metrics-route.ts'
import { choicesResponse, readChoicesQuery, unavailable } from './http/parameters-route.ts'
import { cacheRequest, readReportRequest, reportResponse } from './http/report-route.ts'
import type { Access, Request, RequestHead } from './http/request.ts'
import { API_HEAD, type Cors, type Response } from './http/response.ts'
import { createRouter, noSuchPath, type Handler } from './http/router.ts'
import { DESCRIPTIONS } from './http/schema-routes.ts'
import type { Sender } from './http/sender.ts'
import type { Listener } from './http/server.ts'
import { blameValues } from './report/blame-values.ts'
import type { LoadChoices } from './report/load-choices.ts'
import type { LoadMetrics } from './report/load-metrics.ts'
import type { LoadReport } from './report/load-report.ts'
import type { OutgoingBodies } from './report/body.ts'
import type { Body } from './report/encode.ts'
import type { Observe } from '../model/observation.ts'

export function createRespond(options: {
  readonly cors: Cors
  readonly requests: ActiveRequests
  readonly authentication: Authentication
  /** Undefined: the router chooses the route of all requests. */
  readonly fastPath: FastPath | undefined
  /** The page's responses by path. */
  readonly pages: ReadonlyMap<string, (request: Request) => Promise<Response>>
  readonly cache: Cache
  readonly loadReport: LoadReport
  readonly loadMetrics: LoadMetrics
  readonly loadChoices: LoadChoices
  readonly outgoingBodies: OutgoingBodies
  readonly sender: Sender
  readonly observe: Observe
}): Listener {
  const { requests, authentication, fastPath, pages, cache, sender } = options
  const { loadReport, loadMetrics, loadChoices, outgoingBodies, cors } = options

  /** Request -> Organization, and a response that the fast path has. */
  function receive(incoming: IncomingMessage, outgoing: ServerResponse, head: RequestHead): void {
    const exchange = requests.begin(incoming, outgoing, head)
    const { request } = exchange
    const { path, problem } = request
    if (problem !== undefined) {
      // why: to close while a body arrives would reset the connection, and the client would not get the problem
      const hasBody = incoming.headers['content-length'] !== undefined
      return sender.sendProblem(exchange, {}, problem, hasBody ? [] : ['Connection', 'close'])
    }
    if (cors.isPreflight(request)) return sender.sendBytes(exchange, {}, 204, [...API_HEAD])
    if (path !== PREFIX && !path.startsWith(`${PREFIX}/`)) return respondWithPage(exchange)
    authentication.check(exchange, access => {
      if (access instanceof Problem) return sender.sendProblem(exchange, {}, access)
      const refusal = requests.admit(access.organization)
      if (outgoing.closed) return sender.endUnsent(exchange, { access })
      if (refusal !== undefined) return sender.sendProblem(exchange, { access }, refusal)
      const found = fastPath?.find(request, access.organization)
      if (found !== undefined) return sender.send(exchange, { access }, found)
      outgoing.once('close', () => request.stop.stop(DISCONNECTED))
      route(exchange, access)
    })
  }

  /** Organization -> ReportRequest -> Rows -> Body -> Response */
  function respondWithReport(exchange: Exchange, access: Access, name: string): Promise<void> {
    const { request } = exchange
    const asked = readReportRequest(request, access.organization, name)
    const { report } = asked
    const read = (one: typeof report): Promise<Cached<Body>> =>
      asked.compare
        ? readCompared(exchange, one, cache, loadReport, outgoingBodies)
        : cache.get(cacheRequest(request, one), stop => loadReport(one, stop, request.origin))
    let body = read(report)
    // why: a promise less for the others
    if (report.parameters.size > 0)
      body = body.catch((error: unknown) => blameValues(error, [report], ([one]) => read(one!)))
    return respondWith(exchange, { access, asked }, body, cached =>
      reportResponse(exchange, asked, cached, cache, sender),
    )
  }

  function respondWithMetrics(exchange: Exchange, access: Access): Promise<void> {
    const asked = readMetricsQuery(exchange.request, access.organization)
    const reports = [...asked.reports, ...asked.compared]
    const read = (all: typeof reports) => readTogether(cache, exchange, all, loadMetrics)
    const values = read(reports).catch((error: unknown) => blameValues(error, reports, read))
    return respondWith(exchange, { access, asked }, values, results =>
      metricsResponse(exchange.request, asked, results),
    )
  }

  function respondWithParameters(exchange: Exchange, access: Access, code: string): Promise<void> {
    const asked = readChoicesQuery(exchange.request, access.organization, code)
    const read = (one: (typeof asked.reports)[number]) =>
      readTogether(cache, exchange, [one], loadChoices).then(([list]) => list, unavailable)
    const all = Promise.all(asked.reports.map(read))
    return respondWith(exchange, { access, asked }, all, results =>
      choicesResponse(exchange.request, asked, results),
    )
  }

  function respondWithPage(exchange: Exchange): void {
    const page = pages.get(exchange.request.path)
    if (page === undefined) return sender.sendProblem(exchange, {}, noSuchPath())
    void respondWith(exchange, {}, page(exchange.request), asIs)
  }

  /** Sends the response, or why it could not be made, to a client whose key is still valid. Never rejects. */
  async function respondWith<Value>(
    exchange: Exchange,
    progress: Progress,
    value: Promise<Value>,
    responseOf: (value: Value) => Response | Promise<Response>,
  ): Promise<void> {
    const { access } = progress
    try {
      let made: Response | undefined
      let failure: { readonly error: unknown } | undefined
      try {
        const response = responseOf(await value)
        made = response instanceof Promise ? await response : response
      } catch (error) {
        failure = { error }
      }
      // why: to make the response may take long, too
      const lookUp = access && authentication.checkAgain(exchange, access)
      const changed = lookUp && (await lookUp)
      if (changed !== undefined) return route(exchange, changed)
      if (failure !== undefined) throw failure.error
      if (access) fastPath?.remember(exchange.request, access.organization, made!)
      sender.send(exchange, progress, made!)
    } catch (error) {
      sender.sendProblem(exchange, progress, error)
    }
  }

  const descriptions = Object.entries(DESCRIPTIONS).map(([path, describe]): [string, Handler] => [
    path,
    (exchange, access, code) =>
      respondWith(
        exchange,
        { access },
        describe(exchange.request, access.organization, code),
        asIs,
      ),
  ])
  const route = createRouter(
    {
      ...Object.fromEntries(descriptions),
      '/reports/:code': respondWithReport,
      '/reports/:code/parameters': respondWithParameters,
      '/metrics': respondWithMetrics,
    },
    (exchange, access, error) => sender.sendProblem(exchange, { access }, error),
    options.observe,
  )

  return receive
}

// why: created once, since it also follows each response, when nothing is left to stop
const DISCONNECTED = new Error('the client disconnected')

const asIs = (response: Response): Response => response
