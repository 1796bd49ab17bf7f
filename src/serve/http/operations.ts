/**
 * The operations port: Prometheus' exposition, liveness, readiness and the busiest organizations, for the
 * SRE. It never serves the API, and knows neither databases nor prom-client: what it shows is handed in.
 */
import Koa from 'koa'
import type { Context } from 'koa'
import type { BusyOrganization } from '../../model/gauges.ts'
import type { Observe } from '../../model/observation.ts'
import { readTargets } from './request-head.ts'

/** One thing that must hold before the gateway may take traffic. */
export interface Check {
  /** As in `definitions`, `database`; shown as it is. */
  readonly name: string
  readonly ok: boolean
  /** It holds, but not as it should. */
  readonly degraded?: boolean
  /** Why not, or what else there is to know, in a few words; for people. */
  readonly reason?: string | undefined
}

export interface OperationsOptions {
  readonly exposition: () => Promise<{ readonly contentType: string; readonly text: string }>
  /** Answers from memory: nothing here waits for a database. */
  readonly readiness: () => readonly Check[]
  /** Organizations with the most execution time in the last minute, the most first. */
  readonly busiest: () => readonly BusyOrganization[]
  readonly observe: Observe
}

/**
 * `GET /metrics`; `/livez`: 200 while the event loop answers; `/readyz`: 200, or 503 and the checks that failed.
 * `?verbose` lists every check. `/organizations`: which of them keep the replicas busy. All else is 404, and other
 * methods than GET and HEAD are 405.
 */
export function createOperations(options: OperationsOptions): Koa {
  const { exposition, readiness, busiest, observe } = options
  const pages = new Map<string, (context: Context) => void | Promise<void>>([
    [
      '/metrics',
      async context => {
        const { contentType, text } = await exposition()
        context.set('Content-Type', contentType)
        context.body = text
      },
    ],
    ['/livez', context => answerChecks(context, 'livez', [{ name: 'event-loop', ok: true }])],
    ['/readyz', context => answerChecks(context, 'readyz', readiness())],
    ['/organizations', context => answer(context, 200, busiestTable(busiest()))],
  ])

  const app = new Koa()
  readTargets(app)
  app.use(async context => {
    context.set('Cache-Control', 'no-store')
    const page = pages.get(context.path)
    if (page === undefined) {
      return answer(context, 404, `not found: here are ${[...pages.keys()].join(', ')}\n`)
    }
    if (context.method !== 'GET' && context.method !== 'HEAD') {
      context.set('Allow', 'GET, HEAD')
      return answer(context, 405, 'method not allowed\n')
    }
    try {
      await page(context)
    } catch (error) {
      observe({ kind: 'process-error', error })
      answer(context, 500, 'failed: see the log\n')
    }
  })
  // why: what is left is a client that disconnected
  app.silent = true
  return app
}

function busiestTable(organizations: readonly BusyOrganization[]): string {
  const lines = organizations.map(({ id, executionMs, executing, waiting }) =>
    [(executionMs / 1000).toFixed(1), executing, waiting, id].join('\t'),
  )
  return ['seconds\texecuting\twaiting\torganization', ...lines, ''].join('\n')
}

/** The lines of Kubernetes' own API server: failed checks are listed, asked for or not. */
function answerChecks(context: Context, name: string, checks: readonly Check[]): void {
  const ok = checks.every(check => check.ok)
  if (ok && context.query['verbose'] === undefined) return answer(context, 200, 'ok\n')
  const lines = checks.map(check =>
    check.ok
      ? `[+]${check.name} ${check.degraded === true ? 'degraded' : 'ok'}${check.reason === undefined ? '' : `: ${check.reason}`}`
      : `[-]${check.name} failed: ${check.reason ?? 'unknown'}`,
  )
  const last = `${name} check ${ok ? 'passed' : 'failed'}`
  answer(context, ok ? 200 : 503, [...lines, last, ''].join('\n'))
}

function answer(context: Context, status: number, text: string): void {
  context.status = status
  context.type = 'text/plain'
  context.body = text
}
