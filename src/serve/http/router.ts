/** Koa chooses the route of a request that the fast path does not serve. */
import { createRequire } from 'node:module'
import type * as KoaRouter from '@koa/router'
import Koa from 'koa'
import { PREFIX } from '../../model/terms.ts'
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Exchange } from './active-requests.ts'
import type { Access } from './request.ts'

// why: as an ES module it loads other copies of its packages, which takes 20 of 850 ms of CPU of a start
const { Router } = createRequire(import.meta.url)('@koa/router') as typeof KoaRouter

/** @param code of a path with `:code` @throws Problem before it waits */
export type Handler = (exchange: Exchange, access: Access, code: string) => Promise<void>

interface State {
  readonly exchange: Exchange
  readonly access: Access
}

/**
 * @param routes by path below the prefix
 * @param refuse sends the error of a request that has no route, or that its route refuses
 */
export function createRouter(
  routes: Readonly<Record<string, Handler>>,
  refuse: (exchange: Exchange, access: Access, error: unknown) => void,
  observe: Observe,
) {
  /**
   * What Koa begins with now.
   * why: scavenges treat the values of a WeakMap as reachable, so that each request was promoted with all it refers to
   */
  let current: State | undefined

  const router = new Router<State>({ prefix: PREFIX, sensitive: true, strict: true })
  for (const [path, handle] of Object.entries(routes))
    router.all(path, ({ state: { exchange, access }, params }) => {
      try {
        return handle(exchange, access, params['code'] ?? '')
      } catch (error) {
        return refuse(exchange, access, error)
      }
    })

  const app = new Koa<State, { newRouterPath: string }>()
  app.on('error', (error: unknown, ctx?: Koa.Context) => {
    // why: Koa also reports sockets that were closed by the client, which is not an error
    if (!ctx?.req.socket.destroyed) observe({ kind: 'process-error', error })
  })
  app.use((ctx, next) => {
    Object.assign(ctx.state, current)
    // why: Koa's path throws for some targets and is null for others
    ctx.newRouterPath = ctx.state.exchange.request.path
    ctx.respond = false
    return next()
  })
  app.use(router.routes())
  app.use(({ state }) => refuse(state.exchange, state.access, noSuchPath()))
  const begin = app.callback()
  return (exchange: Exchange, access: Access): void => {
    current = { exchange, access }
    void begin(exchange.incoming, exchange.outgoing)
    // why: it has the key of its client
    current = undefined
  }
}

export function noSuchPath(): Problem {
  return new Problem('not_found', texts => texts.noSuchPath(PREFIX))
}
