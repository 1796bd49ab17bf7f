/** A request, and what is in flight for it. Knows neither Koa nor the fast path. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Catalog } from '../../definitions/definition.ts'
import { Problem } from '../../model/errors.ts'
import type { Fact, RequestOrigin } from '../../model/observation.ts'
import { createStop, type Stop } from '../../model/stop.ts'
import type { Bytes, Milliseconds, Organization, ReportFormat } from '../../model/terms.ts'
import { presentedKey, type PresentedKey } from '../access/api-key.ts'
import type { Connection } from './connections.ts'
import type { RequestHead, RequestHeaders } from './request-head.ts'
import type { Response } from './response.ts'

/** What HTTP said, parsed once. */
export interface Request {
  readonly method: string
  /** As received. */
  readonly url: string
  /** As received, percent-encoded. */
  readonly path: string
  readonly queryString: string
  readonly headers: RequestHeaders
  /** Why the request is rejected. */
  readonly problem: Problem | undefined
  readonly isHttp10: boolean
  readonly key: PresentedKey
  /** `X-Request-Id` of the client, or a generated one. Identifies the request in observations. */
  readonly origin: RequestOrigin
  readonly startedAt: Milliseconds
  /** By the wall clock: determines today's date. */
  readonly receivedAt: Milliseconds
  /** The catalog at the start of the request, which is used until its end. */
  readonly catalog: Catalog
  /** Stopped when the client has disconnected, or at the deadline. */
  readonly stop: Stop
}

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

export function createRequest(
  { method = 'unknown', url = '', httpVersionMinor }: IncomingMessage,
  { path, queryString, headers, problem }: RequestHead,
  startedAt: Milliseconds,
  receivedAt: Milliseconds,
  catalog: Catalog,
): Request {
  const { requestId = '' } = headers
  return {
    method,
    url,
    path,
    queryString,
    headers,
    problem,
    isHttp10: httpVersionMinor === 0,
    key: presentedKey(headers.authorization, headers.apiKey),
    origin: { requestId: CLIENT_REQUEST_ID.test(requestId) ? requestId : randomUUID() },
    startedAt,
    receivedAt,
    catalog,
    stop: createStop(),
  }
}

/** An organization whose key was valid, and when its look-up ended. */
export interface Access {
  readonly organization: Organization
  readonly checkedAt: Milliseconds
}

/** A request in flight, from its begin to its one end: what has become known, for its record. */
export class Exchange {
  readonly request: Request
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly connection: Connection
  /** Headers of `CORS_ORIGINS`; undefined without that setting. */
  readonly cors: readonly string[] | undefined
  /** Set once the key has been checked. */
  access: Access | undefined
  /** Set once it is known what it asks the cache for: with the format of a report. */
  asked: { readonly format?: ReportFormat } | undefined
  /** What is sent; if that fails, with a problem. */
  response: Response | undefined
  problem: Problem | undefined
  firstByteMs: Milliseconds | undefined
  sentBytes: Bytes = 0
  /** Counted among the organization's requests. */
  isCounted = false
  isOver = false
  /** Its place among those in flight. */
  index = 0
  /** Called at its end, with its record. */
  readonly endings: Array<(record: Fact<'request'>) => void> = []

  constructor(
    request: Request,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    connection: Connection,
    cors: readonly string[] | undefined,
  ) {
    this.request = request
    this.incoming = incoming
    this.outgoing = outgoing
    this.connection = connection
    this.cors = cors
  }

  /** Whose key has been checked. */
  get organization(): Organization {
    if (this.access === undefined) throw new Error('the route runs before authentication')
    return this.access.organization
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
