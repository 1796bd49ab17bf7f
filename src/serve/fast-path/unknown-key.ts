/**
 * The 401 of a plain request whose key was found in no database, without Koa: a flood of unknown keys must cost little
 * more than their look-ups. The same headers and body as the ordinary way sends.
 */
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http'
import type { Catalog } from '../../definitions/definition.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { chooseLanguage } from '../http/accept-language.ts'
import type { ActiveRequest, ActiveRequests } from '../http/active-requests.ts'
import { problemHead } from '../http/answer-head.ts'
import { KEY_INVALID } from '../http/authenticate.ts'
import type { Connections } from '../http/connections.ts'
import { setKeepAlive } from '../http/keep-alive.ts'
import { nameOf } from '../http/paths.ts'
import type { PlainRequest } from './plain-request.ts'
import { CHALLENGES, PROBLEM_CONTENT_TYPE, problemBody } from '../http/problem.ts'
import type { RequestIds } from '../http/request-ids.ts'
import { parseTarget } from '../http/request-target.ts'
import { whenEnded } from '../http/when-ended.ts'

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
    const { route, report } = nameOf(parseTarget(plain.target)?.path ?? '', catalog())
    const head: OutgoingHttpHeader[] = problemHead(requestId, language)
    // why: Node keeps the last of a name that is repeated where a header was set before
    head.push('WWW-Authenticate', CHALLENGES)
    head.push('Content-Type', PROBLEM_CONTENT_TYPE, 'Content-Length', String(body.length))
    response.writeHead(STATUS, head)
    const isHead = plain.method === 'HEAD'
    response.end(isHead ? undefined : body)
    if (socket.writableLength > 0) response.setTimeout(stallTimeoutMs, () => response.destroy())
    // why: its end sets the keep-alive of a connection without a key, which Node overwrites before that
    whenEnded(response, socket, aborted =>
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
