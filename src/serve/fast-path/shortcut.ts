/**
 * The short way of a plain request whose answer is kept: key, alias, cache, head, bytes, without Koa. Unknown keys are
 * refused here, too.
 * It has no rules of its own: what it cannot answer goes the ordinary way, with its key look-up.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OrganizationLookup } from '../access/organization-lookup.ts'
import type { Aliases } from './aliases.ts'
import type { Cache } from '../cache/cache.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { Problem } from '../../model/errors.ts'
import type { Observe } from '../../model/observation.ts'
import type { Clock, Milliseconds, Organization } from '../../model/terms.ts'
import type { ActiveRequest, ActiveRequests } from '../http/active-requests.ts'
import { momentHead, serverTiming } from '../http/answer-head.ts'
import type { Connections } from '../http/connections.ts'
import { etagMatches } from '../http/etag.ts'
import type { LookedUp } from './hand-down.ts'
import { findKept } from './kept-answer.ts'
import type { KeptAnswer, Meaning } from './kept-answer.ts'
import type { Outgoing } from '../http/outgoing.ts'
import { plainRequest } from './plain-request.ts'
import type { PlainRequest } from './plain-request.ts'
import type { RateLimitHead } from '../http/rate-limit-head.ts'
import type { RequestIds } from '../http/request-ids.ts'
import { PART_BYTES } from '../http/send-chunks.ts'
import { createRefuseUnknownKey } from './unknown-key.ts'
import { whenEnded } from '../http/when-ended.ts'
import { createWriteHead } from './write-head.ts'

/** @param lookedUp undefined where no key was looked up */
export type AnswerOrdinarily = (
  request: IncomingMessage,
  response: ServerResponse,
  active: ActiveRequest,
  lookedUp: LookedUp | undefined,
) => void

export interface ShortcutOptions {
  readonly ordinary: AnswerOrdinarily
  readonly requests: ActiveRequests
  readonly connections: Connections
  readonly lookup: OrganizationLookup
  readonly cache: Cache
  readonly aliases: Aliases<Meaning>
  /** The one in use now. */
  readonly catalog: () => Catalog
  readonly requestIds: RequestIds
  readonly stallTimeoutMs: Milliseconds
  readonly outgoing: Outgoing
  readonly rateLimitHead: RateLimitHead
  readonly draining: () => boolean
  readonly observe: Observe
  readonly now: Clock
}

export type Shortcut = (
  request: IncomingMessage,
  response: ServerResponse,
  active: ActiveRequest,
) => void

export function createShortcut(options: ShortcutOptions): Shortcut {
  const { ordinary, requests, connections, lookup, catalog, draining, observe, now } = options
  const { requestIds, stallTimeoutMs, outgoing, rateLimitHead } = options
  const writeHead = createWriteHead()
  const refuseUnknownKey = createRefuseUnknownKey(options)

  function send(hit: Hit, request: IncomingMessage, response: ServerResponse): void {
    const { plain, kept, active, foundAt } = hit
    const { startedAt } = active
    const { head, news, bytes, etag } = kept
    const { socket } = request
    const requestId = requestIds.of(plain.requestId ?? '')
    const known = plain.ifNoneMatch !== undefined && etagMatches(plain.ifNoneMatch, etag)
    const status = known ? 304 : 200
    const timing = serverTiming([['auth', foundAt - startedAt], NO_TIME])
    const ofNow = ['X-Request-Id', requestId, ...momentHead(news), 'Server-Timing', timing]
    ofNow.push(...rateLimitHead(hit.organization.id))
    const bodiless = known || plain.method === 'HEAD'
    // why: a pipelined request inherits the stall timer of the answer before it
    if (socket.timeout !== 0) socket.setTimeout(0)
    writeHead(response, status, known ? head.without : head.withBody, ofNow, foundAt)
    observe(KEY_IS_VALID)
    connections.noteValidKey(active.connection)
    response.end(bodiless ? undefined : bytes)

    const ended = (aborted: boolean): void =>
      requests.end(active, {
        kind: 'request',
        requestId,
        method: plain.method,
        route: kept.route,
        report: kept.report,
        status,
        problem: undefined,
        refusal: undefined,
        retryAfterSeconds: undefined,
        cause: undefined,
        cache: news.outcome,
        format: kept.format,
        durationMs: now() - startedAt,
        sentBytes: bodiless ? 0 : bytes.length,
        shortcut: true,
        aborted,
        organizationId: hit.organization.id,
      })
    // why: what the system has taken needs no waiting for, and listeners cost as much as the look-up
    if (socket.destroyed || socket.writableLength === 0) return ended(socket.destroyed)
    response.setTimeout(stallTimeoutMs, () => response.destroy())
    const taken = bodiless ? undefined : outgoing.begin(hit.organization.id, bytes)
    whenEnded(response, socket, aborted => {
      taken?.()
      ended(aborted)
    })
  }

  /** What takes its reader a while is sent in parts, or refused. */
  function isShort({ id }: Organization, { bytes }: KeptAnswer): boolean {
    return bytes.length <= PART_BYTES && outgoing.hasRoom(id, bytes)
  }

  return (request, response, active) => {
    const plain = plainRequest(request)
    if (plain?.key.kind !== 'key' || draining()) {
      ordinary(request, response, active, undefined)
      return
    }
    const leave = (organization: LookedUp['organization']): void => {
      const lookupMs = now() - active.startedAt
      ordinary(request, response, active, { plain, organization, lookupMs })
    }
    /** False where the ordinary way has to answer. */
    const answerShort = (organization: Organization | undefined): boolean => {
      if (response.closed || draining()) return false
      if (organization === undefined) {
        refuseUnknownKey(plain, active, request, response)
        return true
      }
      const foundAt = now()
      const kept = organization.entitled
        ? findKept(options, plain, organization, catalog(), foundAt)
        : undefined
      if (kept === undefined || !isShort(organization, kept)) return false
      if (!requests.admit(active, organization.id)) return false
      send({ plain, organization, kept, active, foundAt }, request, response)
      return true
    }
    const answer = (organization: Organization | undefined): void => {
      try {
        if (answerShort(organization)) return
      } catch (error) {
        observe({ kind: 'process-error', error })
        if (response.headersSent) {
          response.destroy()
          return
        }
      }
      leave(() => organization)
    }
    const refuse = (problem: Problem): void =>
      leave(() => {
        throw problem
      })
    lookup.tell(plain.key.hash, answer, refuse)
  }
}

interface Hit {
  readonly plain: PlainRequest
  readonly organization: Organization
  readonly kept: KeptAnswer
  readonly active: ActiveRequest
  /** When its key had been looked up. */
  readonly foundAt: Milliseconds
}

const KEY_IS_VALID = { kind: 'key-checked', outcome: 'valid' } as const

/** Finding what is kept takes microseconds. */
const NO_TIME = ['cache', 0] as const
