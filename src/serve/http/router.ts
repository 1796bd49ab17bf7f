/** Koa chooses the route of a request that the fast path does not serve. */
import { createRequire } from 'node:module'
import type * as KoaRouter from '@koa/router'
import Koa from 'koa'
import { PREFIX } from '../../model/api-prefix.ts'
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Exchange } from './request.ts'
import type { Response } from './response.ts'

// why: as an ES module it loads other copies of its packages, which takes 20 of 850 ms of CPU of a start
const { Router } = createRequire(import.meta.url)('@koa/router') as typeof KoaRouter

/** @param code of a path with `:code` */
type Handler = (exchange: Exchange, code: string) => Response | Promise<Response>
/** By path. */
export type Handlers = ReadonlyMap<string, Handler>

interface State {
  exchange: Exchange
}

export function createRouter(options: {
  readonly pages: Handlers
  /** Below the prefix. */
  readonly routes: Handlers
  /** Sends the response of the handler; never rejects. */
  readonly respond: (exchange: Exchange, handler: Handler, code: string) => Promise<void>
  readonly observe: Observe
}): (exchange: Exchange) => void {
  const { pages, routes, respond, observe } = options
  /**
   * The exchange that Koa begins with now.
   * why: scavenges treat the values of a WeakMap as reachable, so that each request was promoted with all it refers to
   */
  let current: Exchange | undefined

  const router = new Router<State>({ prefix: PREFIX, sensitive: true, strict: true })
  for (const [path, handler] of routes)
    router.all(path, ({ state, params }) => respond(state.exchange, handler, params['code'] ?? ''))

  const app = new Koa<State, { newRouterPath: string }>()
  app.on('error', (error: unknown, ctx?: Koa.Context) => {
    // why: Koa also reports sockets that were closed by the client, which is not an error
    if (!ctx?.req.socket.destroyed) observe({ kind: 'process-error', error })
  })
  app.use((ctx, next) => {
    const exchange = current!
    ctx.state.exchange = exchange
    const { path } = exchange.request
    // why: Koa's path throws for some targets and is null for others
    ctx.newRouterPath = path
    ctx.respond = false
    const page = pages.get(path)
    return page === undefined ? next() : respond(exchange, page, '')
  })
  app.use(router.routes())
  app.use(({ state }) => respond(state.exchange, refuse, ''))
  const handle = app.callback()
  return exchange => {
    current = exchange
    void handle(exchange.incoming, exchange.outgoing)
    // why: it has the key of its client
    current = undefined
  }
}

function refuse(): never {
  throw new Problem('not_found', {
    ru: `Такого адреса нет. Есть ${PREFIX}/ping, /reports, /reports/:code, /reports/:code/schema, /metrics, /metrics/schema и /openapi.json; регистр и завершающая косая черта важны.`,
    en: `There is no such path. There are ${PREFIX}/ping, /reports, /reports/:code, /reports/:code/schema, /metrics, /metrics/schema and /openapi.json; case and a trailing slash are significant.`,
  })
}
