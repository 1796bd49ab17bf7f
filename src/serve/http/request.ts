/** A request as one value: what HTTP said, and what becomes known about it. Knows neither Koa nor the fast path. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Catalog } from '../../definitions/definition.ts'
import { Problem } from '../../model/errors.ts'
import type { Fact } from '../../model/observation.ts'
import { createStop } from '../../model/stop.ts'
import type { CacheOutcome, Milliseconds, Organization, Seconds } from '../../model/terms.ts'
import { presentedKey } from '../access/api-key.ts'
import type { Cached } from '../cache/cache.ts'
import type { FileReader } from '../report/body.ts'
import type { Connection } from './connections.ts'
import type { RequestHead } from './request-head.ts'

/** The observation of a request, reported at its end. */
export type RequestFact = Fact<'request'>

/** The name of a request in metrics and in the log. */
export type RequestName = Pick<RequestFact, 'route' | 'report' | 'format'>

export type Request = ReturnType<typeof createRequest>

export function createRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  { path, queryString, headers }: RequestHead,
  known: {
    readonly connection: Connection
    readonly startedAt: Milliseconds
    /** By the wall clock: determines today's date. */
    readonly receivedAt: Milliseconds
    /** `X-Request-Id` of the client, or a generated one. */
    readonly requestId: string
    /** The catalog at the start of the request, which is used until its end. */
    readonly catalog: Catalog
    /** Headers of `CORS_ORIGINS`; undefined without that setting. */
    readonly cors: readonly string[] | undefined
  },
) {
  const { connection, startedAt, receivedAt, requestId, catalog, cors } = known
  return {
    incoming,
    response,
    method: incoming.method ?? 'unknown',
    path,
    queryString,
    headers,
    key: presentedKey(headers.authorization, headers.apiKey),
    connection,
    startedAt,
    receivedAt,
    /** Identifies the request in observations. */
    origin: { requestId },
    catalog,
    cors,
    /** Stopped when the client has disconnected, or at the deadline. */
    stop: createStop(),
    deadline: undefined as NodeJS.Timeout | undefined,
    /** Set once the key has been checked. */
    organization: undefined as Organization | undefined,
    /** When the last look-up of the key ended. */
    authenticatedAt: startedAt,
    /** Counted among the organization's requests. */
    isAdmitted: false,
    isOver: false,
    /** If undefined, it is derived from the path. */
    name: undefined as RequestName | undefined,
    /** Cached values that were loaded for it, or are owed to its client. */
    values: undefined as Array<Pick<Cached<unknown>, 'key' | 'version'>> | undefined,
    /** The file of the response, which exists until the end of the request. */
    file: undefined as FileReader | undefined,
    cache: undefined as CacheOutcome | undefined,
    ageSeconds: undefined as Seconds | undefined,
    /** For `Server-Timing`. */
    authMs: undefined as Milliseconds | undefined,
    cacheMs: undefined as Milliseconds | undefined,
    problem: undefined as Problem | undefined,
    /** When the head was sent. */
    firstByteAt: undefined as Milliseconds | undefined,
    sentBytes: 0,
    /** Served by the fast path. */
    isShortcut: false,
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
