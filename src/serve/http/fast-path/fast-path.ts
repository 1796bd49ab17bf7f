/**
 * Serves plain requests whose response is cached, and rejects invalid keys, without Koa. All other requests are
 * passed to Koa with their organization.
 */
import type { Aliases } from './aliases.ts'
import type { Cache } from '../../cache/cache.ts'
import type { Observe } from '../../../model/observation.ts'
import type { Clock, Milliseconds } from '../../../model/terms.ts'
import type { ActiveRequests, RequestState } from '../active-requests.ts'
import { cacheHead, serverTiming } from '../response-head.ts'
import type { Authenticate } from '../authenticate.ts'
import type { Connections } from '../connections.ts'
import { etagMatches } from '../conditional-request.ts'
import { createWriteHead } from './cached-head.ts'
import { findCachedResponse } from './cached-response.ts'
import type { CachedResponse, AliasTarget } from './cached-response.ts'
import type { OutgoingBodies } from '../../report/outgoing-bodies.ts'
import { plainRequest } from './plain-request.ts'
import type { PlainRequest } from './plain-request.ts'
import { sendProblem } from '../problem.ts'
import { PART_BYTES } from '../send-response.ts'

/** Serves a request or passes it to Koa. */
export type FastPath = (state: RequestState, passToKoa: (state: RequestState) => void) => void

export function createFastPath(options: {
  readonly authenticate: Authenticate
  readonly requests: ActiveRequests
  readonly connections: Connections
  readonly cache: Cache
  readonly aliases: Aliases<AliasTarget>
  readonly stallTimeoutMs: Milliseconds
  readonly outgoing: OutgoingBodies
  readonly draining: () => boolean
  readonly observe: Observe
  readonly now: Clock
}): FastPath {
  const { authenticate, requests, outgoing, draining, observe, now } = options
  const writeHead = createWriteHead()

  /** False if Koa must serve the request. */
  function serveFromCache(state: RequestState, plain: PlainRequest): boolean {
    const { organization } = state
    if (organization === undefined || state.response.closed || draining()) return false
    const cached = findCachedResponse(options, plain, organization, state, now())
    if (cached === undefined) return false
    // why: Koa sends large bodies in parts, and rejects a response that cannot be buffered
    if (cached.bytes.length > PART_BYTES || !outgoing.fits(organization.id, cached.bytes))
      return false
    send(state, plain, cached, organization.id)
    return true
  }

  function send(
    state: RequestState,
    plain: PlainRequest,
    cached: CachedResponse,
    organizationId: string,
  ): void {
    const { request, response, requestId, timings } = state
    const { resolved, head, metadata, bytes, etag } = cached
    const isNotModified = plain.ifNoneMatch !== undefined && etagMatches(plain.ifNoneMatch, etag)
    const body = isNotModified || plain.method === 'HEAD' ? undefined : bytes
    timings.push(CACHE_TIMING)
    const dynamicHeaders = ['X-Request-Id', requestId, ...cacheHead(metadata)]
    dynamicHeaders.push('Server-Timing', serverTiming(timings))
    if (state.cors !== undefined) dynamicHeaders.push('Vary', 'Origin', ...state.cors)
    writeHead(
      response,
      isNotModified ? 304 : 200,
      isNotModified ? head.withoutBody : head.withBody,
      dynamicHeaders,
    )
    response.end(body)

    state.isFast = true
    state.route = resolved.route
    state.report = resolved.report
    state.format = resolved.format
    state.cache = metadata.outcome
    state.ageSeconds = metadata.ageSeconds
    state.streamedBytes = body?.length ?? 0
    // why: if the kernel has accepted all bytes, no listener is needed; listeners cost as much as the look-up
    if (request.socket.destroyed || request.socket.writableLength === 0) {
      return requests.end(state, request.socket.destroyed)
    }
    state.firstByteAt = now()
    response.setTimeout(options.stallTimeoutMs, () => response.destroy())
    requests.endWithResponse(state, body && outgoing.begin(organizationId, body))
  }

  function reject(state: RequestState, problem: unknown): void {
    requests.endWithResponse(state)
    if (state.isOver) return
    state.isFast = true
    sendProblem(state, problem, options)
  }

  return (state, passToKoa) => {
    const plain = plainRequest(state.request)
    if (plain?.key.kind !== 'key' || draining()) return passToKoa(state)
    state.plain = plain
    authenticate(state, plain.key, problem => {
      if (problem !== undefined) return reject(state, problem)
      try {
        if (serveFromCache(state, plain)) return
      } catch (error) {
        observe({ kind: 'process-error', error })
        if (state.response.headersSent) {
          requests.endWithResponse(state)
          return void state.response.destroy()
        }
      }
      passToKoa(state)
    })
  }
}

/** 0 ms, since finding a cached response takes microseconds. */
const CACHE_TIMING = ['cache', 0] as const
