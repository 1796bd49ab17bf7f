/** A request, and what is in flight for it. Knows neither Koa nor the fast path. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Catalog } from '../../definitions/definition.ts'
import { Problem } from '../../model/errors.ts'
import type { Fact, RequestOrigin } from '../../model/observation.ts'
import { createStop } from '../../model/stop.ts'
import type { Milliseconds, Organization, ReportFormat } from '../../model/terms.ts'
import { presentedKey } from '../access/api-key.ts'
import type { Connection } from './connections.ts'
import type { RequestHead } from './request-head.ts'
import type { Response } from './response.ts'

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

/** What HTTP said, parsed once. */
export type Request = Readonly<ReturnType<typeof createRequest>>

export function createRequest(
  { method = 'unknown', url = '', httpVersionMinor }: IncomingMessage,
  { path, queryString, headers, problem }: RequestHead,
  startedAt: Milliseconds,
  receivedAt: Milliseconds,
  catalog: Catalog,
) {
  const { requestId = '' } = headers
  const isValidId = CLIENT_REQUEST_ID.test(requestId)
  const origin: RequestOrigin = { requestId: isValidId ? requestId : randomUUID() }
  return {
    method,
    /** As received. */
    url,
    path,
    queryString,
    headers,
    /** Why the request is rejected. */
    problem,
    isHttp10: httpVersionMinor === 0,
    key: presentedKey(headers.authorization, headers.apiKey),
    /** `X-Request-Id` of the client, or a generated one. Identifies the request in observations. */
    origin,
    startedAt,
    /** By the wall clock: determines today's date. */
    receivedAt,
    /** The catalog at the start of the request, which is used until its end. */
    catalog,
    /** Stopped when the client has disconnected, or at the deadline. */
    stop: createStop(),
  }
}

/** An organization whose key was valid, and when its look-up ended. */
export interface Access {
  readonly organization: Organization
  readonly checkedAt: Milliseconds
}

/** A request in flight, from its begin to its one end: what has become known, for its record. */
export type Exchange = ReturnType<typeof createExchange>

/** @param cors headers of `CORS_ORIGINS`; undefined without that setting */
export function createExchange(
  request: Request,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  connection: Connection,
  cors: readonly string[] | undefined,
) {
  return {
    request,
    incoming,
    outgoing,
    connection,
    cors,
    /** Set once the key has been checked. */
    access: undefined as Access | undefined,
    /** Set once it is known what it asks the cache for: with the format of a report. */
    asked: undefined as { readonly format?: ReportFormat } | undefined,
    /** What is sent; if that fails, with a problem. */
    response: undefined as Response | undefined,
    problem: undefined as Problem | undefined,
    firstByteMs: undefined as Milliseconds | undefined,
    sentBytes: 0,
    /** Counted among the organization's requests. */
    isCounted: false,
    isOver: false,
    /** Its place among those in flight. */
    index: 0,
    /** Called at its end, with its record. */
    endings: [] as Array<(record: Fact<'request'>) => void>,
  }
}

/** @throws Problem `method_not_allowed` unless the method reads */
export function requireRead({ method }: Request): void {
  if (method === 'GET' || method === 'HEAD') return
  throw new Problem('method_not_allowed', {
    ru: `Метод ${method} не поддерживается: данные можно только читать, методами GET и HEAD.`,
    en: `The method ${method} is not allowed: the data can only be read, by GET and HEAD.`,
  })
}
