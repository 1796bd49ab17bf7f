/** A request as one value: what HTTP said, and what becomes known about it. Knows neither Koa nor the fast path. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Catalog } from '../../definitions/definition.ts'
import { Problem } from '../../model/errors.ts'
import type { Fact } from '../../model/observation.ts'
import { createStop } from '../../model/stop.ts'
import type { Milliseconds, Organization } from '../../model/terms.ts'
import { presentedKey } from '../access/api-key.ts'
import type { Connection } from './connections.ts'
import type { RequestHead } from './request-head.ts'

type RequestFact = { -readonly [Name in keyof Fact<'request'>]: Fact<'request'>[Name] }

/** What is observed of a request at its end, as it is at its start. */
export function createFact(
  requestId: string,
  peerAddress: string | undefined,
  method: string,
): RequestFact {
  return {
    kind: 'request',
    requestId,
    peerAddress,
    method,
    route: 'other',
    status: 0,
    problem: undefined,
    durationMs: 0,
    sentBytes: 0,
    shortcut: false,
    aborted: false,
  }
}

export type Request = ReturnType<typeof createRequest>

export function createRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  { path, queryString, headers }: RequestHead,
  start: {
    readonly connection: Connection
    readonly startedAt: Milliseconds
    /** By the wall clock: determines today's date. */
    readonly receivedAt: Milliseconds
    /** `X-Request-Id` of the client, or a generated one. Identifies the request in observations. */
    readonly origin: { readonly requestId: string }
    /** The catalog at the start of the request, which is used until its end. */
    readonly catalog: Catalog
    /** Headers of `CORS_ORIGINS`; undefined without that setting. */
    readonly cors: readonly string[] | undefined
  },
) {
  const method = incoming.method ?? 'unknown'
  const fact = createFact(start.origin.requestId, start.connection.address, method)
  fact.origin = start.origin
  fact.forwardedFor = headers.forwardedFor
  fact.traceparent = headers.traceparent
  // why: spread, the fields would make a hit twice as expensive, since V8 has no shape for so many
  return {
    incoming,
    response,
    method,
    path,
    queryString,
    headers,
    connection: start.connection,
    startedAt: start.startedAt,
    receivedAt: start.receivedAt,
    origin: start.origin,
    catalog: start.catalog,
    cors: start.cors,
    key: presentedKey(headers.authorization, headers.apiKey),
    /** What is observed at its end. */
    fact,
    /** Stopped when the client has disconnected, or at the deadline. */
    stop: createStop(),
    deadline: undefined as NodeJS.Timeout | undefined,
    /** Set once the key has been checked. */
    organization: undefined as Organization | undefined,
    /** When the last look-up of the key ended. */
    authenticatedAt: start.startedAt,
    /** Counted among the organization's requests. */
    isAdmitted: false,
    isOver: false,
    /** Called at its end, after its fact is complete. */
    atEnd: undefined as Array<() => void> | undefined,
    /** Until its organization was known. */
    authMs: undefined as Milliseconds | undefined,
  }
}

/** The organization of a request whose key has been checked. */
export function organizationOf({ organization }: Request): Organization {
  if (organization === undefined) throw new Error('the route runs before authentication')
  return organization
}

/** @throws Problem `method_not_allowed` unless the method reads */
export function requireRead({ method }: Request): void {
  if (method === 'GET' || method === 'HEAD') return
  throw new Problem('method_not_allowed', {
    ru: `Метод ${method} не поддерживается: данные можно только читать, методами GET и HEAD.`,
    en: `The method ${method} is not allowed: the data can only be read, by GET and HEAD.`,
  })
}
