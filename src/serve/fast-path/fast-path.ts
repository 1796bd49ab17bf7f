/**
 * The way of a plain request whose response is cached: key, alias, cache, head, bytes, without Koa. Refused keys are
 * answered here, too. It has no rules of its own: what it cannot answer goes on to Koa, with its organization.
 */
import type { Aliases } from './aliases.ts'
import type { Cache } from '../cache/cache.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import type { ActiveRequests, RequestState } from '../http/active-requests.ts'
import { momentHead, serverTiming } from '../http/response-head.ts'
import type { Authenticate } from '../http/authenticate.ts'
import type { Connections } from '../http/connections.ts'
import { etagMatches } from '../http/conditional-request.ts'
import { createWriteHead } from './cached-head.ts'
import { findCachedResponse } from './cached-response.ts'
import type { CachedResponse, Meaning } from './cached-response.ts'
import type { Outgoing } from '../body/unread.ts'
import { plainRequest } from './plain-request.ts'
import type { PlainRequest } from './plain-request.ts'
import { sendProblem } from '../http/problem.ts'
import type { RateLimitHead } from '../http/response-head.ts'
import { PART_BYTES } from '../http/send-response.ts'

/** Answers a request, or hands it to the way through Koa. */
export type FastPath = (state: RequestState, throughKoa: (state: RequestState) => void) => void

export function createFastPath(options: {
  readonly authenticate: Authenticate
  readonly requests: ActiveRequests
  readonly connections: Connections
  readonly cache: Cache
  readonly aliases: Aliases<Meaning>
  readonly stallTimeoutMs: Milliseconds
  readonly outgoing: Outgoing
  readonly rateLimitHead: RateLimitHead
  readonly draining: () => boolean
  readonly observe: Observe
  readonly now: Clock
}): FastPath {
  const { authenticate, requests, outgoing, rateLimitHead, draining, observe, now } = options
  const writeHead = createWriteHead()

  /** False if Koa has to answer. */
  function answer(state: RequestState, plain: PlainRequest): boolean {
    const { organization } = state
    if (organization === undefined || state.response.closed || draining()) return false
    const nowMs = now()
    const cached = findCachedResponse(options, plain, organization, state.catalog, nowMs)
    if (cached === undefined) return false
    // why: large bodies are sent in parts, and a response that has no room is refused
    if (cached.bytes.length > PART_BYTES || !outgoing.hasRoom(organization.id, cached.bytes))
      return false
    send(state, plain, cached, organization.id, nowMs)
    return true
  }

  function send(
    state: RequestState,
    plain: PlainRequest,
    cached: CachedResponse,
    organizationId: string,
    nowMs: Milliseconds,
  ): void {
    const { request, response, requestId, timings } = state
    const { meant, head, news, bytes, etag } = cached
    const isKnown = plain.ifNoneMatch !== undefined && etagMatches(plain.ifNoneMatch, etag)
    const body = isKnown || plain.method === 'HEAD' ? undefined : bytes
    timings.push(NO_TIME)
    const ofNow = ['X-Request-Id', requestId, ...momentHead(news)]
    ofNow.push('Server-Timing', serverTiming(timings), ...rateLimitHead(organizationId))
    writeHead(response, isKnown ? 304 : 200, isKnown ? head.without : head.withBody, ofNow, nowMs)
    response.end(body)

    state.isFast = true
    state.route = meant.route
    state.report = meant.report
    state.format = meant.format
    state.cache = news.outcome
    state.streamedBytes = body?.length ?? 0
    // why: what the system has taken needs no waiting for, and listeners cost as much as the look-up
    if (request.socket.destroyed || request.socket.writableLength === 0) {
      return requests.end(state, request.socket.destroyed)
    }
    response.setTimeout(options.stallTimeoutMs, () => response.destroy())
    requests.endWithResponse(state, body && outgoing.begin(organizationId, body))
  }

  function refuse(state: RequestState, problem: unknown): void {
    requests.endWithResponse(state)
    if (state.isOver) return
    state.isFast = true
    sendProblem(state, problem, options)
  }

  return (state, throughKoa) => {
    const plain = plainRequest(state.request)
    if (plain?.key.kind !== 'key' || draining()) return throughKoa(state)
    state.plain = plain
    authenticate(state, plain.key, problem => {
      if (problem !== undefined) return refuse(state, problem)
      try {
        if (answer(state, plain)) return
      } catch (error) {
        observe({ kind: 'process-error', error })
        if (state.response.headersSent) {
          requests.endWithResponse(state)
          return void state.response.destroy()
        }
      }
      throughKoa(state)
    })
  }
}

/** Finding a cached response takes microseconds. */
const NO_TIME = ['cache', 0] as const
