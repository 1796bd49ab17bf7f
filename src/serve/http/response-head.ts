/** Response headers as Node's flat list of names and values, for the fast path and for Koa. */
import type { ServerResponse } from 'node:http'
import type { Coding } from '../report/gzip.ts'
import type { Cached } from '../cache/cache.ts'
import type { CacheOutcome, Clock, Instant } from '../../model/terms.ts'
import type { Language } from './negotiation.ts'
import type { Connections } from './connections.ts'
import type { RequestState, Timing } from './active-requests.ts'

/** Headers of a representation that are equal for all clients. */
export interface RepresentationHead {
  readonly contentType: string
  readonly contentLocation: string
  /** `Content-Disposition`, with the file name. */
  readonly disposition: string | undefined
  /** `Deprecation` and `Sunset`, alternating names and values. */
  readonly lifecycle: readonly string[]
  readonly coding: Coding
}

export interface ResponseHead extends RepresentationHead {
  readonly dataAsOf: Instant | undefined
  readonly metadata: CacheMetadata
}

const VARY = 'Authorization, X-Api-Key, Accept, Accept-Encoding'

export const SECURITY_HEAD = [
  'X-Content-Type-Options',
  'nosniff',
  // why: a request in CORS mode is not subject to it
  'Cross-Origin-Resource-Policy',
  'same-origin',
]

/** Headers of every response, besides `X-Request-Id`. */
export const COMMON_HEAD = [...SECURITY_HEAD, 'Vary', VARY]

/** Call it after `Vary` has been set. */
export function setCors({ response, cors }: RequestState): void {
  if (cors === undefined) return
  setAll(response, cors)
  response.appendHeader('Vary', 'Origin')
}

/** Headers of every problem; they override previous ones. */
export function problemHead(requestId: string, language: Language): string[] {
  const ofProblem = ['Vary', `${VARY}, Accept-Language`, 'Cache-Control', 'no-store']
  return ['X-Request-Id', requestId, ...SECURITY_HEAD, ...ofProblem, 'Content-Language', language]
}

/** Headers that do not change while a response is cached. */
export function representationHead(
  { contentLocation, disposition, lifecycle, coding, dataAsOf }: Omit<ResponseHead, 'metadata'>,
  etag: string,
): string[] {
  const list = [
    'Content-Location',
    contentLocation,
    'Cache-Control',
    'private, no-cache',
    ...lifecycle,
  ]
  if (disposition !== undefined) list.push('Content-Disposition', disposition)
  if (coding !== 'identity') list.push('Content-Encoding', coding)
  if (dataAsOf !== undefined) list.push('Data-As-Of', dataAsOf)
  list.push('ETag', etag, 'Accept-Ranges', 'bytes')
  return list
}

/** Headers that depend on the time of the request. */
export function cacheHead(metadata: CacheMetadata): string[] {
  return ['Age', String(metadata.ageSeconds), 'Cache-Status', cacheStatus(metadata)]
}

/** Sets the headers that are known last: `Server-Timing`, `Connection` and `Keep-Alive`. The head is sent next. */
export function completeHead(
  state: RequestState,
  { connections, now }: { readonly connections: Connections; readonly now: Clock },
): void {
  const { response, timings } = state
  state.firstByteAt ??= now()
  if (!response.headersSent && !response.hasHeader('Connection')) {
    setAll(response, connections.keepAliveHead(response, state.connection, response.statusCode))
  }
  if (timings.length > 0 && !response.headersSent) {
    response.setHeader('Server-Timing', serverTiming(timings))
  }
}

/** @param list alternating names and values */
export function setAll(response: ServerResponse, list: readonly string[]): void {
  for (let at = 0; at < list.length; at += 2) response.setHeader(list[at]!, list[at + 1]!)
}

/** @see https://www.w3.org/TR/server-timing/ */
export function serverTiming(timings: readonly Timing[]): string {
  let text = ''
  for (const [stage, durationMs] of timings) {
    // why: toFixed costs as much as all other headers together
    const tenths = Math.round(durationMs * 10)
    const separator = text === '' ? '' : ', '
    text += `${separator}${stage};dur=${Math.floor(tenths / 10)}.${tenths % 10}`
  }
  return text
}

/** How the cache served a request. */
export type CacheMetadata = Omit<Cached<unknown>, 'key' | 'value'>

/** @see https://www.rfc-editor.org/rfc/rfc9211 */
export function cacheStatus({ outcome, forwarded, stored, ttlSeconds }: CacheMetadata): string {
  switch (outcome) {
    case 'hit':
      return `svodka; hit; ttl=${ttlSeconds ?? 0}`
    case 'stale':
      return `svodka; hit; ttl=${ttlSeconds ?? 0}; detail=stale`
    case 'miss':
    case 'collapsed':
      return [
        'svodka',
        `fwd=${forwarded ?? 'miss'}`,
        ...(stored ? ['stored'] : []),
        ...(outcome === 'collapsed' ? ['collapsed'] : []),
      ].join('; ')
  }
}

const NO_LOOKUP: CacheMetadata = {
  outcome: 'hit',
  forwarded: undefined,
  stored: false,
  ageSeconds: 0,
  ttlSeconds: 0,
}

const BY_COST: readonly CacheOutcome[] = ['hit', 'collapsed', 'miss', 'stale']

/** For a response combined from several values: the most expensive outcome, the highest age, the lowest TTL. */
export function mergeMetadata(all: readonly CacheMetadata[]): CacheMetadata {
  const [costliest] = all.toSorted(
    (a, b) => BY_COST.indexOf(b.outcome) - BY_COST.indexOf(a.outcome),
  )
  if (!costliest) return NO_LOOKUP
  const forwarded = all.filter(metadata => metadata.forwarded !== undefined)
  return {
    outcome: costliest.outcome,
    forwarded: forwarded[0]?.forwarded,
    stored: forwarded.every(({ stored }) => stored),
    ageSeconds: Math.max(...all.map(({ ageSeconds }) => ageSeconds)),
    ttlSeconds: Math.min(...all.map(({ ttlSeconds }) => ttlSeconds ?? 0)),
  }
}
