/** Requests in flight: each is counted, limited and observed once. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Organization } from '../../model/terms.ts'
import type { Connections } from './connections.ts'
import { nameOf } from './paths.ts'
import type { RequestHead } from './request-head.ts'
import { createRequest } from './request.ts'
import type { Request } from './request.ts'

export type ActiveRequests = ReturnType<typeof createActiveRequests>

/** Counts of 0 are removed when the map reaches this size. */
const SWEEP_AT = 20_000

/** nginx's status for a client that disconnected before the response began. */
const CLIENT_CLOSED_REQUEST = 499

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

export function createActiveRequests(options: {
  readonly connections: Connections
  /** The catalog in use now. */
  readonly catalog: () => Catalog
  readonly config: Config
  readonly observe: Observe
  readonly now: Clock
  readonly wall: Clock
}) {
  const { connections, catalog, observe, now, wall } = options
  const { maxRequestsPerOrganization } = options.config
  let count = 0
  /** Entries of 0 remain for a while: a `delete` for each costs 7 % CPU time of a hit. */
  let requestCounts = new Map<string, number>()

  return {
    count: () => count,
    begin(
      incoming: IncomingMessage,
      response: ServerResponse,
      head: RequestHead,
      cors: readonly string[] | undefined,
    ): Request {
      const { socket } = incoming
      const { requestId = '' } = head.headers
      count += 1
      // why: a pipelined request inherits the stall timer of the response before it
      if (socket.timeout !== 0) socket.setTimeout(0)
      return createRequest(incoming, response, head, {
        connection: connections.beginRequest(socket),
        startedAt: now(),
        receivedAt: wall(),
        origin: { requestId: CLIENT_REQUEST_ID.test(requestId) ? requestId : randomUUID() },
        catalog: catalog(),
        cors,
      })
    },
    /** Counts a request of the organization. @returns a Problem if the limit is reached */
    admit(request: Request, { id }: Organization): Problem | undefined {
      // why: a request that has ended would never be released
      if (request.isOver) return undefined
      const current = requestCounts.get(id) ?? 0
      if (current >= maxRequestsPerOrganization) return tooManyRequests(maxRequestsPerOrganization)
      if (requestCounts.size >= SWEEP_AT)
        requestCounts = new Map([...requestCounts].filter(([, active]) => active > 0))
      requestCounts.set(id, current + 1)
      request.isAdmitted = true
      return undefined
    },
    /** Observes the request. Repeated calls are ignored. */
    end(request: Request, aborted: boolean): void {
      if (request.isOver) return
      request.isOver = true
      count -= 1
      clearTimeout(request.deadline)
      const { fact, response, organization } = request
      if (request.isAdmitted) {
        const { id } = organization!
        requestCounts.set(id, requestCounts.get(id)! - 1)
      }
      connections.endRequest(request.connection)
      if (fact.route === 'other') Object.assign(fact, nameOf(request.path, request.catalog))
      fact.status = aborted && !response.headersSent ? CLIENT_CLOSED_REQUEST : response.statusCode
      fact.durationMs = now() - request.startedAt
      fact.aborted = aborted
      request.atEnd?.forEach(release => release())
      observe(fact)
    },
  }
}

/** Most requests end within a second. */
const RETRY_AFTER_SECONDS = 1

function tooManyRequests(max: number): Problem {
  return new Problem(
    'rate_limited',
    {
      ru: `Одновременно обрабатывается не более ${max} запросов организации. Дождитесь ответов и повторите запрос.`,
      en: `At most ${max} requests of an organization are processed at once. Wait for responses and retry.`,
    },
    { retryAfterSeconds: RETRY_AFTER_SECONDS, refusal: 'requests' },
  )
}
