/**
 * The public API, in the order of its checks: key, tier, number of requests, path, method, parameters.
 * Knows Koa; knows neither knex nor pg.
 */
import type { RequestListener } from 'node:http'
import { Router } from '@koa/router'
import Koa from 'koa'
import type { OrganizationLookup } from '../access/organization-lookup.ts'
import type { Aliases } from '../fast-path/aliases.ts'
import type { ReportCache } from '../cache/report-cache.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { ReadMetrics } from '../body/read-metrics.ts'
import type { ReadReport } from '../body/read-report.ts'
import type { InSecondFormat } from '../body/second-format.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { setAll } from './answer.ts'
import type { Sending } from './answer.ts'
import { authenticate, notFound } from './authenticate.ts'
import type { Connections } from './connections.ts'
import { frame } from './frame.ts'
import type { ActiveRequests } from './active-requests.ts'
import { createHandDown } from '../fast-path/hand-down.ts'
import type { HandDown } from '../fast-path/hand-down.ts'
import type { Meaning } from '../fast-path/kept-answer.ts'
import { metrics } from './metrics-route.ts'
import type { Outgoing } from './outgoing.ts'
import { PREFIX } from './paths.ts'
import type { RateLimitHead } from './rate-limit-head.ts'
import { findReport, listReports, report } from './report-routes.ts'
import { createRequestIds } from './request-ids.ts'
import type { RequestIds } from './request-ids.ts'
import { readTargets } from './request-target.ts'
import { organizationOf } from './request-state.ts'
import type { ApiContext, ApiMiddleware, RequestState } from './request-state.ts'
import { createShortcut } from '../fast-path/shortcut.ts'
import type { AnswerOrdinarily } from '../fast-path/shortcut.ts'

export interface ApiOptions {
  /** The one in use now; asked once for each request. */
  readonly catalog: () => Catalog
  /** Off: every request goes through Koa. */
  readonly fastPath: 'on' | 'off'
  readonly lookup: OrganizationLookup
  readonly cache: ReportCache
  readonly aliases: Aliases<Meaning>
  readonly readReport: ReadReport
  readonly readMetrics: ReadMetrics
  readonly inSecondFormat: InSecondFormat
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

/** What the shortcut cannot answer goes to Koa. */
export function createApi(options: ApiOptions): RequestListener {
  const { outgoing, stallTimeoutMs, requests } = options
  const sending = { outgoing, stallTimeoutMs }
  const handDown = createHandDown()
  const shared = { ...options, sending, handDown, requestIds: createRequestIds() }
  const ordinary = createOrdinaryApi(shared).callback()
  const answerOrdinarily: AnswerOrdinarily = (request, response, active, lookedUp) => {
    handDown.give(request, { active, lookedUp })
    void ordinary(request, response)
  }
  const answer =
    options.fastPath === 'on'
      ? createShortcut({ ...shared, ordinary: answerOrdinarily })
      : answerOrdinarily
  return (request, response) => answer(request, response, requests.begin(request), undefined)
}

function createOrdinaryApi(
  options: ApiOptions & {
    readonly handDown: HandDown
    readonly requestIds: RequestIds
    readonly sending: Sending
  },
): Koa<RequestState> {
  const router = new Router<RequestState>({ prefix: PREFIX, sensitive: true, strict: true })
  router.all('/ping', onlyRead, ping)
  router.all('/reports', onlyRead, listReports())
  router.all('/reports/:code', findReport, onlyRead, report(options))
  router.all('/metrics', onlyRead, metrics(options))

  const app = new Koa<RequestState>()
  readTargets(app)
  app.on('error', (error: unknown, ctx?: ApiContext) => {
    // why: Koa reports a socket that its client has closed, too; that is no defect of ours
    if (!ctx?.req.socket.destroyed) options.observe({ kind: 'process-error', error })
  })
  app.use(frame(options))
  app.use(authenticate(options))
  app.use(withRateLimit(options.rateLimitHead))
  app.use(router.routes())
  app.use(() => {
    throw notFound()
  })
  return app
}

/** On every response, problems too. */
function withRateLimit(rateLimitHead: RateLimitHead): ApiMiddleware {
  return async (ctx, next) => {
    // why: large bodies are sent before this returns, and the others show what this execution has cost
    const setHead = (): void => setAll(ctx, rateLimitHead(organizationOf(ctx).id))
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
