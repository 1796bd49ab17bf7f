/**
 * The public API, in the order of its checks: key, tier, number of requests, path, method, parameters.
 * Knows Koa; knows neither knex nor pg.
 */
import type { RequestListener } from 'node:http'
import { Router } from '@koa/router'
import Koa from 'koa'
import { readApiKey } from '../access/api-key.ts'
import type { OrganizationLookup } from '../access/organization-lookup.ts'
import type { Aliases } from '../fast-path/aliases.ts'
import { createFastPath } from '../fast-path/fast-path.ts'
import type { Meaning } from '../fast-path/cached-response.ts'
import type { Cache } from '../cache/cache.ts'
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Deliver } from '../body/delivery.ts'
import type { LoadMetrics } from '../body/load-metrics.ts'
import type { LoadReport } from '../body/load-report.ts'
import type { Representations } from '../body/representations.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { organizationOf } from './active-requests.ts'
import type { ActiveRequests, ApiContext, ApiMiddleware, RequestState } from './active-requests.ts'
import { COMMON_HEAD, completeHead, setAll } from './response-head.ts'
import type { RateLimitHead } from './response-head.ts'
import type { Outgoing } from '../body/unread.ts'
import type { Sending } from './send-response.ts'
import { createAuthenticate } from './authenticate.ts'
import type { Authenticate } from './authenticate.ts'
import type { Connections } from './connections.ts'
import { metrics } from './metrics-route.ts'
import { PREFIX } from './paths.ts'
import { sendProblem } from './problem.ts'
import { findReport, listReports, report } from './report-routes.ts'
import { readTargets } from './request-head.ts'

interface ApiOptions {
  /** Off: every request goes through Koa. */
  readonly fastPath: 'on' | 'off'
  readonly lookup: OrganizationLookup
  readonly cache: Cache
  readonly aliases: Aliases<Meaning>
  readonly loadReport: LoadReport
  readonly loadMetrics: LoadMetrics
  readonly representations: Representations
  readonly deliver: Deliver
  /** Of a response that has not begun. */
  readonly longestWaitMs?: Milliseconds
  /** A client that reads nothing of its response for so long is disconnected. */
  readonly stallTimeoutMs: Milliseconds
  /** Of whole answers that have not been read yet. */
  readonly outgoing: Outgoing
  readonly rateLimitHead: RateLimitHead
  readonly requests: ActiveRequests
  readonly connections: Connections
  readonly draining: () => boolean
  readonly observe: Observe
  readonly now: Clock
}

/** What the fast path cannot answer goes to Koa. */
export function createApi(options: ApiOptions): RequestListener {
  const { requests } = options
  const authenticate = createAuthenticate(options)
  const throughKoa = createKoaHandler({ ...options, authenticate })
  const fastPath = createFastPath({ ...options, authenticate })
  return (request, response) => {
    const state = requests.begin(request, response)
    if (options.fastPath === 'on') fastPath(state, throughKoa)
    else throughKoa(state)
  }
}

function createKoaHandler(
  options: ApiOptions & { readonly authenticate: Authenticate },
): (state: RequestState) => void {
  const { outgoing, deliver, stallTimeoutMs } = options
  const routes = { ...options, sending: { outgoing, deliver, stallTimeoutMs } satisfies Sending }
  const router = new Router<RequestState>({ prefix: PREFIX, sensitive: true, strict: true })
  router.all('/ping', onlyRead, ping)
  router.all('/reports', onlyRead, listReports())
  router.all('/reports/:code', findReport, onlyRead, report(routes))
  router.all('/metrics', onlyRead, metrics(routes))

  const app = new Koa<RequestState>()
  readTargets(app)
  app.on('error', (error: unknown, ctx?: ApiContext) => {
    // why: Koa reports a socket that its client has closed, too; that is no defect of ours
    if (!ctx?.req.socket.destroyed) options.observe({ kind: 'process-error', error })
  })
  app.use(withProblems(options))
  app.use(withOrganization(options.authenticate))
  app.use(withRateLimit(options.rateLimitHead))
  app.use(router.routes())
  app.use(() => {
    throw notFound()
  })
  return withState(app)
}

/** Koa's `callback`, with a state for the request. */
function withState(app: Koa<RequestState>): (state: RequestState) => void {
  const koa = app as unknown as KoaInside
  const chain = koa.compose(app.middleware)
  return state => {
    const ctx = app.createContext<RequestState>(state.request, state.response)
    ctx.state = state
    void koa.handleRequest(ctx, chain)
  }
}

/** What `callback` is made of, which Koa's types leave out. @see https://github.com/koajs/koa/blob/v3.0.0/lib/application.js */
interface KoaInside {
  compose(middleware: readonly ApiMiddleware[]): (ctx: ApiContext) => Promise<void>
  handleRequest(ctx: ApiContext, chain: (ctx: ApiContext) => Promise<void>): Promise<void>
}

/**
 * A request's deadline, which its `signal` hands to the queue, the connection and the statement.
 * Loaders hang up at 60 s (dlt); the status line of every response is sent well before.
 */
const LONGEST_WAIT_MS = 48_000

/** The headers of every response, the deadline and the end, an error turned into a problem. */
function withProblems(options: ApiOptions): ApiMiddleware {
  const { requests, connections, draining, stallTimeoutMs, now } = options
  const { longestWaitMs = LONGEST_WAIT_MS } = options
  return async (ctx, next) => {
    const { state, res: response } = ctx
    const aborting = new AbortController()
    state.signal = aborting.signal
    const waitedMs = now() - state.startedAt
    const deadline = setTimeout(() => aborting.abort(tooLong()), longestWaitMs - waitedMs)
    requests.endWithResponse(state, aborted => {
      clearTimeout(deadline)
      if (aborted) aborting.abort(new Error('the client disconnected'))
    })
    // why: a client may have disconnected while its key was looked up
    if (response.closed) return
    try {
      setAll(response, ['X-Request-Id', state.requestId, ...COMMON_HEAD])
      if (draining()) response.setHeader('Connection', 'close')
      await next()
    } catch (error) {
      if (response.closed) return
      ctx.respond = false
      return sendProblem(state, error, options)
    }
    completeHead(state, connections)
    if (!response.writableEnded) response.setTimeout(stallTimeoutMs, () => response.destroy())
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

/** The key of every request under the prefix is checked; elsewhere there is nothing to see. */
function withOrganization(authenticate: Authenticate): ApiMiddleware {
  return async ({ path, req, state }, next) => {
    if (path !== PREFIX && !path.startsWith(`${PREFIX}/`)) throw notFound()
    // why: the fast path may have checked the key
    if (state.organization === undefined) {
      const key = readApiKey(req.headersDistinct)
      const problem = await new Promise<Problem | undefined>(done => authenticate(state, key, done))
      if (problem !== undefined) throw problem
    }
    await next()
  }
}

function notFound(): Problem {
  return new Problem('not_found', {
    ru: `Такого адреса нет. Есть ${PREFIX}/ping, /reports, /reports/:code и /metrics; регистр и завершающая косая черта важны.`,
    en: `There is no such path. There are ${PREFIX}/ping, /reports, /reports/:code and /metrics; case and a trailing slash count.`,
  })
}

/** On every response, problems too. */
function withRateLimit(rateLimitHead: RateLimitHead): ApiMiddleware {
  return async (ctx, next) => {
    // why: large bodies are sent before this returns, and the others show what this execution has cost
    const setHead = (): void => setAll(ctx.res, rateLimitHead(organizationOf(ctx).id))
    setHead()
    try {
      await next()
    } finally {
      if (!ctx.headerSent) setHead()
    }
  }
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
  ctx.body = `${JSON.stringify({ ok: true, organizationId: organizationOf(ctx).id, version: 'v1' })}\n`
  ctx.type = 'application/json; charset=utf-8'
}
