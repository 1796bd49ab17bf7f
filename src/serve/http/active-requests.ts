/** Requests in flight: each is counted, limited, stopped at its deadline, and has one record at its end. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../config/config.ts'
import type { Catalog } from '../../definitions/definition.ts'
import { Problem } from '../../model/errors.ts'
import type { Fact, Observe } from '../../model/observation.ts'
import type { CacheOutcome, Clock, Milliseconds } from '../../model/terms.ts'
import type { Connections } from './connections.ts'
import type { RequestHead } from './request-head.ts'
import { createExchange, createRequest, type Access, type Exchange } from './request.ts'
import { InvalidAccessRow } from '../access/access-rows.ts'
import { nameOf } from './read-parameters.ts'

export type ActiveRequests = ReturnType<typeof createActiveRequests>

/** Counts of 0 are removed when the map reaches this size. */
const SWEEP_AT = 20_000

/** nginx's status for a client that disconnected before the response began. */
const CLIENT_CLOSED_REQUEST = 499

const PAGE: ReturnType<typeof nameOf> = { route: 'page' }

/** why: a timer for each request costs more than a look at all of them */
const DEADLINES_EVERY_MS: Milliseconds = 100

export function createActiveRequests(options: {
  readonly connections: Connections
  /** The catalog in use now. */
  readonly catalog: () => Catalog
  /** Paths of the page. */
  readonly pages: ReadonlyMap<string, unknown>
  readonly config: Config
  readonly observe: Observe
  readonly now: Clock
  readonly wall: Clock
}) {
  const { connections, catalog, pages, observe, now, wall } = options
  const { maxRequestsPerOrganization, longestWaitMs } = options.config
  const active: Exchange[] = []
  /** Entries of 0 remain for a while: a `delete` for each costs 7 % CPU time of a hit. */
  let requestCounts = new Map<string, number>()

  const deadlines = setInterval(() => {
    const startedBefore = now() - longestWaitMs
    for (const { request } of active)
      if (request.startedAt <= startedBefore && request.stop.reason === undefined)
        request.stop.stop(deadlinePassed())
  }, DEADLINES_EVERY_MS).unref()

  function recordOf(exchange: Exchange, aborted: boolean): Fact<'request'> {
    const { request, response, problem, access, asked, outgoing } = exchange
    const { origin, headers, method, path } = request
    const { route, report } = pages.has(path) ? PAGE : nameOf(path, request.catalog)
    const cause = problem?.cause
    return {
      kind: 'request',
      requestId: origin.requestId,
      origin,
      peerAddress: exchange.connection.address,
      forwardedFor: headers.forwardedFor,
      traceparent: headers.traceparent,
      method,
      route,
      report,
      status: aborted && !outgoing.headersSent ? CLIENT_CLOSED_REQUEST : outgoing.statusCode,
      problem: problem?.code,
      cause,
      refusal: problem?.refusal,
      retryAfterSeconds: problem?.retryAfterSeconds,
      cache: cacheOutcomeOf(exchange),
      format: response?.format ?? asked?.format,
      durationMs: now() - request.startedAt,
      firstByteMs: exchange.firstByteMs,
      ageSeconds: response?.metadata?.ageSeconds,
      sentBytes: exchange.sentBytes,
      shortcut: response?.isShortcut === true,
      aborted,
      organizationId:
        access?.organization.id ?? (cause instanceof InvalidAccessRow ? cause.id : undefined),
    }
  }

  return {
    count: () => active.length,
    begin(
      incoming: IncomingMessage,
      outgoing: ServerResponse,
      head: RequestHead,
      cors: readonly string[] | undefined,
    ): Exchange {
      const { socket } = incoming
      // why: a pipelined request inherits the stall timer of the response before it
      if (socket.timeout !== 0) socket.setTimeout(0)
      const connection = connections.beginRequest(socket)
      const request = createRequest(incoming, head, now(), wall(), catalog())
      const exchange = createExchange(request, incoming, outgoing, connection, cors)
      exchange.index = active.push(exchange) - 1
      return exchange
    },
    /** Counts a request of the organization. @returns a Problem if the limit is reached */
    admit(exchange: Exchange, access: Access): Problem | undefined {
      exchange.access = access
      const { id } = access.organization
      // why: a request that has ended would never be released
      if (exchange.isOver) return undefined
      const current = requestCounts.get(id) ?? 0
      if (current >= maxRequestsPerOrganization) return tooManyRequests(maxRequestsPerOrganization)
      if (requestCounts.size >= SWEEP_AT)
        requestCounts = new Map([...requestCounts].filter(([, count]) => count > 0))
      requestCounts.set(id, current + 1)
      exchange.isCounted = true
      return undefined
    },
    /** Observes the request. Repeated calls are ignored. */
    end(exchange: Exchange, aborted: boolean): void {
      if (exchange.isOver) return
      exchange.isOver = true
      const last = active.pop()!
      if (last !== exchange) {
        active[exchange.index] = last
        last.index = exchange.index
      }
      if (exchange.isCounted) {
        const { id } = exchange.access!.organization
        requestCounts.set(id, requestCounts.get(id)! - 1)
      }
      connections.endRequest(exchange.connection)
      const record = recordOf(exchange, aborted)
      for (const ending of exchange.endings) ending(record)
      observe(record)
    },
    close: () => clearInterval(deadlines),
  }
}

/** Undefined for a path without a cache; a miss until there is a response. */
export function cacheOutcomeOf({ response, asked }: Exchange): CacheOutcome | undefined {
  return response?.metadata?.outcome ?? (asked && 'miss')
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

function deadlinePassed(): Problem {
  return new Problem(
    'overloaded',
    {
      ru: 'Ответ ещё строится. Повторите запрос: он получит этот ответ, как только тот будет готов.',
      en: 'The response is still being made. Repeat the request: it will get this response as soon as it is ready.',
    },
    { retryAfterSeconds: 10 },
  )
}
