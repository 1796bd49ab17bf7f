/**
 * The public API. Order of checks: key, tier, number of requests, path, method, parameters.
 * Knows Koa, which chooses the route of a request that the fast path does not serve; does not know pg.
 */
import { createRequire } from 'node:module'
import type * as KoaRouter from '@koa/router'
import Koa from 'koa'
import type { Config } from '../../config/config.ts'
import { PREFIX } from '../../model/api-prefix.ts'
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock } from '../../model/terms.ts'
import { jsonText } from '../formats/json/json-text.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import type { ActiveRequests } from './active-requests.ts'
import type { Authentication } from './authenticate.ts'
import { createCorsHead, isPreflight } from './cors.ts'
import type { MetricsRoute } from './metrics-route.ts'
import { createPageRoutes } from './page-routes.ts'
import type { ReportRoute } from './report-route.ts'
import { organizationOf, requireRead } from './request.ts'
import type { Request } from './request.ts'
import { API_HEAD, LINK_HEAD } from './response-head.ts'
import type { Response } from './response.ts'
import { describeApi, describeMetrics, describeReport, listReports } from './schema-routes.ts'
import type { Sender } from './sender.ts'
import type { Listener } from './server.ts'

// why: as an ES module it loads other copies of its packages, which takes 20 of 850 ms of CPU of a start
const { Router } = createRequire(import.meta.url)('@koa/router') as typeof KoaRouter

/** Knows cached responses by the bytes of requests. */
interface FastPath {
  find(request: Request): Response | undefined
  /** Remembers the response, if the cache has the values that it was made from. */
  remember(request: Request, response: Response): void
}

interface ApiOptions {
  /** If undefined, Koa serves all requests. */
  readonly fastPath: FastPath | undefined
  readonly config: Config
  readonly authentication: Authentication
  readonly report: ReportRoute
  readonly metrics: MetricsRoute
  readonly requests: ActiveRequests
  readonly sender: Sender
  readonly observe: Observe
  readonly now: Clock
}

export function createApi(options: ApiOptions): Listener {
  const { fastPath, authentication, requests, sender, now } = options
  const { corsOrigins, longestWaitMs } = options.config
  const corsHead = corsOrigins && createCorsHead(corsOrigins)
  const routeByKoa = createRouter(options)

  /** Begins the deadline, and ends the request when its client disconnects. */
  function route(request: Request): void {
    const { response, stop, startedAt } = request
    const waitedMs = now() - startedAt
    request.deadline = setTimeout(() => stop.stop(deadlinePassed()), longestWaitMs - waitedMs)
    response.once('close', () => {
      if (request.isOver) return
      stop.stop(new Error('the client disconnected'))
      requests.end(request, true)
    })
    routeByKoa(request)
  }

  return (incoming, response, head) => {
    const cors = corsHead?.(incoming, head)
    const request = requests.begin(incoming, response, head, cors)
    if (head.problem) {
      // why: to close while a body arrives would reset the connection, and the client would not get the problem
      const hasBody = incoming.headers['content-length'] !== undefined
      return sender.sendProblem(request, head.problem, hasBody ? [] : ['Connection', 'close'])
    }
    if (cors?.length && isPreflight(incoming, head))
      return sender.sendBytes(request, 204, [...API_HEAD])
    const { path } = request
    if (path !== PREFIX && !path.startsWith(`${PREFIX}/`)) return route(request)
    authentication.check(request, problem => {
      if (response.closed) return requests.end(request, true)
      if (problem !== undefined) return sender.sendProblem(request, problem)
      try {
        const cached = fastPath?.find(request)
        if (cached === undefined) return route(request)
        request.fact.shortcut = true
        sender.send(request, cached)
      } catch (error) {
        sender.sendProblem(request, error)
      }
    })
  }
}

interface State {
  request: Request
}

/** Sends the response of the request's route; an error as a problem. */
function createRouter(options: ApiOptions): (request: Request) => void {
  const { fastPath, authentication, sender, observe } = options
  /**
   * The request that Koa begins with now.
   * why: scavenges treat the values of a WeakMap as reachable, so that each request was promoted with all it refers to
   */
  let entering: Request | undefined
  const pages = options.config.explorer === 'on' ? createPageRoutes() : undefined

  async function respond(request: Request, made: Promise<Response>): Promise<void> {
    await made.catch(() => undefined)
    await authentication.checkAgain(request)
    const response = await made
    fastPath?.remember(request, response)
    sender.send(request, response)
  }

  const router = new Router<State>({ prefix: PREFIX, sensitive: true, strict: true })
  const routes: Readonly<Record<string, (request: Request, code: string) => Promise<Response>>> = {
    '/ping': ping,
    '/openapi.json': describeApi,
    '/reports': listReports,
    '/reports/:code': options.report,
    '/reports/:code/schema': describeReport,
    '/metrics': options.metrics,
    '/metrics/schema': describeMetrics,
  }
  for (const [path, make] of Object.entries(routes))
    router.all(path, ({ state: { request }, params }) =>
      respond(request, make(request, params['code'] ?? '')),
    )

  const app = new Koa<State, { newRouterPath: string }>()
  app.on('error', (error: unknown, ctx?: Koa.Context) => {
    // why: Koa also reports sockets that were closed by the client, which is not an error
    if (!ctx?.req.socket.destroyed) observe({ kind: 'process-error', error })
  })
  app.use(async (ctx, next) => {
    const request = entering!
    ctx.state.request = request
    // why: Koa's path throws for some targets and is null for others
    ctx.newRouterPath = request.path
    ctx.respond = false
    try {
      await next()
    } catch (error) {
      if (!request.isOver) sender.sendProblem(request, error)
    }
  })
  app.use(({ state: { request } }, next) => {
    const page = pages?.get(request.path)
    if (page === undefined) return next()
    request.fact.route = 'page'
    return respond(request, page(request))
  })
  app.use(router.routes())
  app.use(() => {
    throw notFound()
  })
  const handle = app.callback()
  return request => {
    entering = request
    void handle(request.incoming, request.response)
    // why: it has the key of its client
    entering = undefined
  }
}

async function ping(request: Request): Promise<Response> {
  requireRead(request)
  const { id: organizationId, name: organizationName, timeZone } = organizationOf(request)
  const text = jsonText({ ok: true, organizationId, organizationName, timeZone, version: 'v1' })
  return {
    contentType: JSON_FORMAT.contentType,
    head: [...API_HEAD, ...LINK_HEAD, 'Cache-Control', 'no-store'],
    body: Buffer.from(`${text}\n`),
  }
}

function deadlinePassed(): Problem {
  return new Problem(
    'overloaded',
    {
      ru: 'Ответ ещё строится. Повторите запрос: он получит этот ответ, как только тот будет готов.',
      en: 'The response is still being made. Repeat the request: it will get this response as soon as it is ready.',
    },
    { retryAfterSeconds: 10 },
  )
}

function notFound(): Problem {
  return new Problem('not_found', {
    ru: `Такого адреса нет. Есть ${PREFIX}/ping, /reports, /reports/:code, /reports/:code/schema, /metrics, /metrics/schema и /openapi.json; регистр и завершающая косая черта важны.`,
    en: `There is no such path. There are ${PREFIX}/ping, /reports, /reports/:code, /reports/:code/schema, /metrics, /metrics/schema and /openapi.json; case and a trailing slash are significant.`,
  })
}
