/**
 * The public API. Order of checks: key, tier, number of requests, path, method, parameters.
 * Knows Koa; knows neither knex nor pg.
 */
import type { RequestListener } from 'node:http'
import { Router } from '@koa/router'
import Koa from 'koa'
import { presentedKey } from '../access/api-key.ts'
import type { OrganizationLookup } from '../access/organization-lookup.ts'
import type { Aliases } from './fast-path/aliases.ts'
import { createFastPath } from './fast-path/fast-path.ts'
import type { AliasTarget } from './fast-path/cached-response.ts'
import type { Cache } from '../cache/cache.ts'
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { LoadMetrics } from '../report/load-metrics.ts'
import type { LoadReport } from '../report/load-report.ts'
import { jsonText } from '../formats/json/json-text.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { organizationOf } from './active-requests.ts'
import type { ActiveRequests, ApiContext, ApiMiddleware, RequestState } from './active-requests.ts'
import { COMMON_HEAD, completeHead, setAll, setCors } from './response-head.ts'
import type { OutgoingBodies } from '../report/outgoing-bodies.ts'
import type { SendOptions } from './send-response.ts'
import { createCorsHead, isPreflight } from './cors.ts'
import { createAuthenticate } from './authenticate.ts'
import type { Authenticate } from './authenticate.ts'
import type { Connections } from './connections.ts'
import { explorer } from './explorer-routes.ts'
import { metrics } from './metrics-route.ts'
import { PREFIX } from '../../model/api-prefix.ts'
import { sendProblem } from './problem.ts'
import { findDefinition, findReport, report } from './report-routes.ts'
import {
  describeApi,
  describeMetrics,
  describeReport,
  linkToApi,
  listReports,
} from './schema-routes.ts'
import { readTargets } from './request-head.ts'

interface ApiOptions {
  /** If off, Koa serves all requests. */
  readonly fastPath: 'on' | 'off'
  /** Origins whose scripts may read responses. */
  readonly corsOrigins: readonly string[] | undefined
  /** Whether the page for people is served. */
  readonly hasPage: boolean
  readonly lookup: OrganizationLookup
  readonly cache: Cache
  readonly aliases: Aliases<AliasTarget>
  readonly loadReport: LoadReport
  readonly loadMetrics: LoadMetrics
  /** Deadline of the response's first byte. */
  readonly longestWaitMs?: Milliseconds
  /** A client that reads nothing for this time is disconnected. */
  readonly stallTimeoutMs: Milliseconds
  /** Counts the bytes of whole responses that are being sent. */
  readonly outgoing: OutgoingBodies
  readonly requests: ActiveRequests
  readonly connections: Connections
  readonly draining: () => boolean
  readonly observe: Observe
  readonly now: Clock
}

/** Requests that the fast path cannot serve are passed to Koa. */
export function createApi(options: ApiOptions): RequestListener {
  const { requests } = options
  const corsHead = createCorsHead(options.corsOrigins)
  const authenticate = createAuthenticate(options)
  const passToKoa = createKoaHandler({ ...options, authenticate })
  const fastPath = createFastPath({ ...options, authenticate })
  return (request, response) => {
    const state = requests.begin(request, response)
    state.cors = corsHead(request)
    if (state.cors?.length && isPreflight(request)) return sendPreflight(state, options)
    if (options.fastPath === 'on') fastPath(state, passToKoa)
    else passToKoa(state)
  }
}

function sendPreflight(state: RequestState, options: ApiOptions): void {
  const { response, requestId } = state
  options.requests.endWithResponse(state)
  response.statusCode = 204
  setAll(response, ['X-Request-Id', requestId, ...COMMON_HEAD])
  setCors(state)
  completeHead(state, options)
  response.end()
}

function createKoaHandler(
  options: ApiOptions & { readonly authenticate: Authenticate },
): (state: RequestState) => void {
  const { outgoing, stallTimeoutMs, now } = options
  const routes = {
    ...options,
    sending: { outgoing, stallTimeoutMs, now } satisfies SendOptions,
  }
  const router = new Router<RequestState>({ prefix: PREFIX, sensitive: true, strict: true })
  router.all('/ping', onlyRead, linkToApi, ping)
  router.all('/openapi.json', onlyRead, linkToApi, describeApi())
  router.all('/reports', onlyRead, linkToApi, listReports())
  router.all('/reports/:code', findReport, onlyRead, report(routes))
  router.all('/reports/:code/schema', findDefinition, onlyRead, describeReport())
  router.all('/metrics', onlyRead, metrics(routes))
  router.all('/metrics/schema', onlyRead, describeMetrics())

  const app = new Koa<RequestState>()
  readTargets(app)
  app.on('error', (error: unknown, ctx?: ApiContext) => {
    // why: Koa also reports sockets that were closed by the client, which is not an error
    if (!ctx?.req.socket.destroyed) options.observe({ kind: 'process-error', error })
  })
  app.use(withProblems(options))
  if (options.hasPage) app.use(explorer(onlyRead))
  app.use(withOrganization(options.authenticate))
  app.use(router.routes())
  app.use(() => {
    throw notFound()
  })
  return withState(app)
}

/** As Koa's `callback`, with our state as `ctx.state`. */
function withState(app: Koa<RequestState>): (state: RequestState) => void {
  const koa = app as unknown as KoaInternals
  const chain = koa.compose(app.middleware)
  return state => {
    const ctx = app.createContext<RequestState>(state.request, state.response)
    ctx.state = state
    void koa.handleRequest(ctx, chain)
  }
}

/** The parts of `callback`, which Koa's types omit. @see https://github.com/koajs/koa/blob/v3.0.0/lib/application.js */
interface KoaInternals {
  compose(middleware: readonly ApiMiddleware[]): (ctx: ApiContext) => Promise<void>
  handleRequest(ctx: ApiContext, chain: (ctx: ApiContext) => Promise<void>): Promise<void>
}

/**
 * A request's deadline; its `signal` aborts the queue, the connection and the statement.
 * why: some clients disconnect after 60 s (dlt), so every status line must be sent well before
 */
const LONGEST_WAIT_MS = 48_000

/** Sets common headers and the deadline, ends the request, and sends errors as problems. */
function withProblems(options: ApiOptions): ApiMiddleware {
  const { requests, draining, stallTimeoutMs, now } = options
  const { longestWaitMs = LONGEST_WAIT_MS } = options
  return async (ctx, next) => {
    const { state, res: response } = ctx
    const controller = new AbortController()
    state.signal = controller.signal
    const waitedMs = now() - state.startedAt
    const deadline = setTimeout(() => controller.abort(deadlinePassed()), longestWaitMs - waitedMs)
    requests.endWithResponse(state, aborted => {
      clearTimeout(deadline)
      if (aborted) controller.abort(new Error('the client disconnected'))
    })
    // why: a client may have disconnected while its key was looked up
    if (response.closed) return
    try {
      setAll(response, ['X-Request-Id', state.requestId, ...COMMON_HEAD])
      setCors(state)
      if (draining()) response.setHeader('Connection', 'close')
      await next()
    } catch (error) {
      if (response.closed) return
      ctx.respond = false
      return sendProblem(state, error, options)
    }
    completeHead(state, options)
    if (!response.writableEnded) response.setTimeout(stallTimeoutMs, () => response.destroy())
  }
}

function deadlinePassed(): Problem {
  return new Problem(
    'report_timeout',
    {
      ru: 'Ответ не успел построиться. Повторите запрос позже или возьмите период короче.',
      en: 'The response was not ready in time. Try again later, or request a shorter period.',
    },
    { retryAfterSeconds: 30 },
  )
}

/** Checks the key of each request under the prefix; all other paths but those of the page are 404. */
function withOrganization(authenticate: Authenticate): ApiMiddleware {
  return async ({ path, req, state }, next) => {
    if (path !== PREFIX && !path.startsWith(`${PREFIX}/`)) throw notFound()
    // why: the fast path may have checked the key already
    if (state.organization === undefined) {
      const { authorization, 'x-api-key': apiKey } = req.headersDistinct
      const key = presentedKey(only(authorization), only(apiKey))
      const problem = await new Promise<Problem | undefined>(done => authenticate(state, key, done))
      if (problem !== undefined) throw problem
    }
    await next()
  }
}

/** Undefined if the header is repeated. */
function only(values: string[] | undefined): string | undefined {
  return values?.length === 1 ? values[0] : undefined
}

function notFound(): Problem {
  return new Problem('not_found', {
    ru: `Такого адреса нет. Есть ${PREFIX}/ping, /reports, /reports/:code, /reports/:code/schema, /metrics, /metrics/schema и /openapi.json; регистр и завершающая косая черта важны.`,
    en: `There is no such path. There are ${PREFIX}/ping, /reports, /reports/:code, /reports/:code/schema, /metrics, /metrics/schema and /openapi.json; case and a trailing slash are significant.`,
  })
}

const onlyRead: ApiMiddleware = async (ctx, next) => {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    throw new Problem('method_not_allowed', {
      ru: `Метод ${ctx.method} не поддерживается: данные можно только читать, методами GET и HEAD.`,
      en: `The method ${ctx.method} is not allowed: the data can only be read, by GET and HEAD.`,
    })
  }
  await next()
}

const ping: ApiMiddleware = ctx => {
  ctx.set('Cache-Control', 'no-store')
  ctx.body = `${jsonText({ ok: true, organizationId: organizationOf(ctx).id, version: 'v1' })}\n`
  ctx.type = 'application/json; charset=utf-8'
}
