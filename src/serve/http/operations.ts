/**
 * The operations port: Prometheus metrics, liveness, readiness and the busiest organizations. Knows neither
 * databases nor prom-client.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BusyOrganization } from '../../model/gauges.ts'
import { checkLine, type Check } from '../../model/gauges.ts'
import { PROBLEMS } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { RequestHead } from './request.ts'
import type { Listener } from './server.ts'
import { SECURITY_HEAD } from './response.ts'

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

/** `head` has alternating names and values. */
type Page = readonly [status: number, body: string, head?: readonly string[]]

/**
 * `GET /metrics`; `/livez`: 200 while the event loop responds; `/readyz`: 200, or 503 with the failed checks.
 * `?verbose` lists all checks. `/organizations`: execution time per organization. Other paths are 404, other
 * methods than GET and HEAD 405. Bound to loopback, it responds 421 to a `Host` of another machine.
 */
export function createOperations(options: OperationsOptions): Listener {
  const { exposition, readiness, busiest, observe } = options
  const isLoopback = LOOPBACK.test(options.host)
  const pages = new Map<string, (head: RequestHead) => Page | Promise<Page>>([
    [
      '/metrics',
      async () => {
        const { contentType, text } = await exposition()
        return [200, text, ['Content-Type', contentType]]
      },
    ],
    ['/livez', head => checksPage(head, 'livez', [{ name: 'event-loop', ok: true }])],
    ['/readyz', head => checksPage(head, 'readyz', readiness())],
    ['/organizations', () => [200, busiestTable(busiest())]],
  ])

  async function pageOf({ method }: IncomingMessage, head: RequestHead): Promise<Page> {
    if (head.problem) return [PROBLEMS[head.problem.code].status, `${head.problem.message}\n`]
    const { host = '' } = head.headers
    if (isLoopback && host !== '' && !LOOPBACK.test(host))
      return [421, 'the host is not this machine: expected localhost or 127.0.0.1\n']
    const page = pages.get(head.path)
    if (page === undefined) return [404, `not found: here are ${[...pages.keys()].join(', ')}\n`]
    if (method !== 'GET' && method !== 'HEAD')
      return [405, 'method not allowed\n', ['Allow', 'GET, HEAD', ...PLAIN_TEXT]]
    try {
      return await page(head)
    } catch (error) {
      observe({ kind: 'process-error', error })
      return [500, 'failed: see the log\n']
    }
  }

  return (incoming, response, head) =>
    void pageOf(incoming, head).then(page => send(page, incoming, response))
}

function send(
  [status, body, head = PLAIN_TEXT]: Page,
  { method }: IncomingMessage,
  response: ServerResponse,
): ServerResponse {
  const length = ['Content-Length', String(Buffer.byteLength(body))]
  response.writeHead(status, ['Cache-Control', 'no-store', ...SECURITY_HEAD, ...head, ...length])
  return response.end(method === 'HEAD' ? undefined : body)
}

const PLAIN_TEXT = ['Content-Type', 'text/plain; charset=utf-8']

function busiestTable(organizations: readonly BusyOrganization[]): string {
  const lines = organizations.map(({ id, executionMs, executing, waiting }) =>
    [(executionMs / 1000).toFixed(1), executing, waiting, id].join('\t'),
  )
  return ['seconds\texecuting\twaiting\torganization', ...lines, ''].join('\n')
}

/** In the format of the Kubernetes API server. Failed checks are listed even without `?verbose`. */
function checksPage(head: RequestHead, name: string, checks: readonly Check[]): Page {
  const ok = checks.every(check => check.ok)
  if (ok && !new URLSearchParams(head.queryString).has('verbose')) return [200, 'ok\n']
  const last = `${name} check ${ok ? 'passed' : 'failed'}`
  return [ok ? 200 : 503, [...checks.map(checkLine), last, ''].join('\n')]
}
