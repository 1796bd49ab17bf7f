/**
 * The operations port: Prometheus metrics, liveness, readiness and the busiest organizations. Knows neither
 * databases nor prom-client.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Koa from 'koa'
import type { Context } from 'koa'
import type { BusyOrganization } from '../../model/gauges.ts'
import type { Observe } from '../../model/observation.ts'
import { readTargets } from './request-head.ts'
import { SECURITY_HEAD, setAll } from './response-head.ts'

const compress = promisify(gzip)

/** A condition for receiving traffic. */
export interface Check {
  /** As printed, for example `definitions`. */
  readonly name: string
  readonly ok: boolean
  /** Works with reduced guarantees; does not fail readiness. */
  readonly degraded?: boolean
  /** Details for people. */
  readonly reason?: string | undefined
}

export interface OperationsOptions {
  readonly exposition: () => Promise<{ readonly contentType: string; readonly text: string }>
  /** Reads memory only, without waiting for a database. */
  readonly readiness: () => readonly Check[]
  /** Organizations with the most execution time in the last minute, in descending order. */
  readonly busiest: () => readonly BusyOrganization[]
  readonly observe: Observe
  /** The address that the port is bound to. */
  readonly host: string
}

/** Names of this machine, with any port; no name that a page's owner could point at it (DNS rebinding). */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|::1)(?::\d+)?$/i

/**
 * `GET /metrics`; `/livez`: 200 while the event loop responds; `/readyz`: 200, or 503 with the failed checks.
 * `?verbose` lists all checks. `/organizations`: execution time per organization. Other paths are 404, other
 * methods than GET and HEAD 405. Bound to loopback, it responds 421 to a `Host` of another machine.
 */
export function createOperations(options: OperationsOptions): Koa {
  const { exposition, readiness, busiest, observe } = options
  const isLoopback = LOOPBACK.test(options.host)
  const pages = new Map<string, (context: Context) => void | Promise<void>>([
    [
      '/metrics',
      async context => {
        const { contentType, text } = await exposition()
        context.set({ 'Content-Type': contentType, Vary: 'Accept-Encoding' })
        if (context.acceptsEncodings('gzip', 'identity') !== 'gzip')
          return void (context.body = text)
        context.set('Content-Encoding', 'gzip')
        context.body = await compress(text)
      },
    ],
    ['/livez', context => sendChecks(context, 'livez', [{ name: 'event-loop', ok: true }])],
    ['/readyz', context => sendChecks(context, 'readyz', readiness())],
    ['/organizations', context => sendText(context, 200, busiestTable(busiest()))],
  ])

  const app = new Koa()
  readTargets(app)
  app.use(async context => {
    setAll(context.res, ['Cache-Control', 'no-store', ...SECURITY_HEAD])
    const host = context.get('Host')
    if (isLoopback && host !== '' && !LOOPBACK.test(host)) {
      return sendText(
        context,
        421,
        'the host is not this machine: expected localhost or 127.0.0.1\n',
      )
    }
    const page = pages.get(context.path)
    if (page === undefined) {
      return sendText(context, 404, `not found: here are ${[...pages.keys()].join(', ')}\n`)
    }
    if (context.method !== 'GET' && context.method !== 'HEAD') {
      context.set('Allow', 'GET, HEAD')
      return sendText(context, 405, 'method not allowed\n')
    }
    try {
      await page(context)
    } catch (error) {
      observe({ kind: 'process-error', error })
      sendText(context, 500, 'failed: see the log\n')
    }
  })
  // why: the only remaining errors are disconnected clients
  app.silent = true
  return app
}

function busiestTable(organizations: readonly BusyOrganization[]): string {
  const lines = organizations.map(({ id, executionMs, executing, waiting }) =>
    [(executionMs / 1000).toFixed(1), executing, waiting, id].join('\t'),
  )
  return ['seconds\texecuting\twaiting\torganization', ...lines, ''].join('\n')
}

/** In the format of the Kubernetes API server. Failed checks are listed even without `?verbose`. */
function sendChecks(context: Context, name: string, checks: readonly Check[]): void {
  const ok = checks.every(check => check.ok)
  if (ok && !new URLSearchParams(context.querystring).has('verbose'))
    return sendText(context, 200, 'ok\n')
  const last = `${name} check ${ok ? 'passed' : 'failed'}`
  sendText(context, ok ? 200 : 503, [...checks.map(checkLine), last, ''].join('\n'))
}

/** Such as `[+]keys ok`. */
export function checkLine({ name, ok, degraded, reason }: Check): string {
  if (!ok) return `[-]${name} failed: ${reason ?? 'unknown'}`
  return `[+]${name} ${degraded ? 'degraded' : 'ok'}${reason === undefined ? '' : `: ${reason}`}`
}

function sendText(context: Context, status: number, text: string): void {
  context.status = status
  context.type = 'text/plain'
  context.body = text
}
