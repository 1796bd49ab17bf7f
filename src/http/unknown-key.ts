/**
 * The 401 of a plain request whose key was found in no database, without Koa: strangers ask by thousands, and what
 * they get for one request must cost little more than its look-up. The same bytes as the ordinary way sends.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Catalog } from '../definitions/definition.ts'
import type { Observe } from '../observation.ts'
import type { Clock, Milliseconds } from '../terms.ts'
import { chooseLanguage } from './accept-language.ts'
import type { ActiveRequest, ActiveRequests } from './active-requests.ts'
import { problemHead } from './answer-head.ts'
import { KEY_INVALID } from './authenticate.ts'
import type { Connections } from './connections.ts'
import { setKeepAlive } from './keep-alive.ts'
import { nameOf } from './paths.ts'
import type { PlainRequest } from './plain-request.ts'
import { CHALLENGES, PROBLEM_CONTENT_TYPE, problemBody } from './problem.ts'
import type { RequestIds } from './request-ids.ts'
import { parseTarget } from './request-target.ts'
import { whenSent } from './when-ended.ts'

export type RefuseUnknownKey = (
  plain: PlainRequest,
  active: ActiveRequest,
  request: IncomingMessage,
  response: ServerResponse,
) => void

const STATUS = 401

export function createRefuseUnknownKey(options: {
  readonly requests: ActiveRequests
  readonly connections: Connections
  /** The one in use now. */
  readonly catalog: () => Catalog
  readonly requestIds: RequestIds
  readonly stallTimeoutMs: Milliseconds
  readonly observe: Observe
  readonly now: Clock
}): RefuseUnknownKey {
  const { requests, connections, catalog, requestIds, stallTimeoutMs, observe, now } = options
  return (plain, active, request, response) => {
    const { socket } = request
    const requestId = requestIds.of(plain.requestId ?? '')
    const language = chooseLanguage(request.headers['accept-language'] ?? '')
    const body = Buffer.from(problemBody(KEY_INVALID, language, requestId))
    observe({ kind: 'key-checked', outcome: 'invalid' })
    setKeepAlive(response, STATUS, active.connection, connections)
    // why: a pipelined request inherits the stall timer of the answer before it
    if (socket.timeout !== 0) socket.setTimeout(0)
    const head = problemHead(requestId, language)
    for (const challenge of CHALLENGES) head.push('WWW-Authenticate', challenge)
    head.push('Content-Type', PROBLEM_CONTENT_TYPE, 'Content-Length', String(body.length))
    response.writeHead(STATUS, head)
    const isHead = plain.method === 'HEAD'
    response.end(isHead ? undefined : body)
    const { route, report } = nameOf(parseTarget(plain.target)?.path ?? '', catalog())
    whenSent(response, socket, stallTimeoutMs, aborted =>
      requests.end(active, {
        kind: 'request',
        requestId,
        method: plain.method,
        route,
        report,
        status: STATUS,
        problem: KEY_INVALID.code,
        cause: undefined,
        cache: undefined,
        format: undefined,
        durationMs: now() - active.startedAt,
        sentBytes: isHead ? 0 : body.length,
        shortcut: true,
        aborted,
        organizationId: undefined,
      }),
    )
  }
}
