/** A request as one value: what HTTP said, and what becomes known about it. Knows neither Koa nor the fast path. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Catalog } from '../../definitions/definition.ts'
import { Problem } from '../../model/errors.ts'
import type { RequestOrigin, Route } from '../../model/observation.ts'
import type { Stop } from '../../model/stop.ts'
import type {
  Bytes,
  CacheOutcome,
  Milliseconds,
  Organization,
  ReportFormat,
  Seconds,
} from '../../model/terms.ts'
import type { PresentedKey } from '../access/api-key.ts'
import type { Connection } from './connections.ts'
import type { RequestHead } from './request-head.ts'

export interface Request extends Omit<RequestHead, 'bytes' | 'problem'> {
  readonly incoming: IncomingMessage
  readonly response: ServerResponse
  readonly connection: Connection
  readonly method: string
  readonly startedAt: Milliseconds
  readonly key: PresentedKey
  /** By the wall clock: determines today's date. */
  readonly receivedAt: Milliseconds
  /** `X-Request-Id` of the client, or a generated one; identifies the request in observations. */
  readonly origin: RequestOrigin
  /** The catalog at the start of the request, which is used until its end. */
  readonly catalog: Catalog
  /** Headers of `CORS_ORIGINS`; undefined without that setting. */
  readonly cors: readonly string[] | undefined
  /** Stopped when the client has disconnected, or at the deadline. */
  readonly stop: Stop
  deadline: NodeJS.Timeout | undefined
  /** Set once the key has been checked. */
  organization: Organization | undefined
  /** When the last look-up of the key ended. */
  authenticatedAt: Milliseconds
  /** Counted among the organization's requests. */
  isAdmitted: boolean
  isOver: boolean
  readonly facts: RequestFacts
}

/** For `Server-Timing` and the observation of the request. */
export interface RequestFacts {
  /** If undefined, it is derived from the path. */
  route: Route | undefined
  /** The code of an existing report. */
  report: string | undefined
  format: ReportFormat | undefined
  cache: CacheOutcome | undefined
  ageSeconds: Seconds | undefined
  authMs: Milliseconds | undefined
  cacheMs: Milliseconds | undefined
  problem: Problem | undefined
  /** When the head was sent. */
  firstByteAt: Milliseconds | undefined
  sentBytes: Bytes
  /** Served by the fast path. */
  isShortcut: boolean
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
