/** Response headers as Node's flat list: alternating names and values. */
import { PREFIX } from '../../model/api-prefix.ts'
import type { CacheMetadata } from '../cache/entry.ts'
import type { CacheOutcome, Instant, Milliseconds } from '../../model/terms.ts'
import type { Coding } from '../report/gzip.ts'

export const VARY = 'Authorization, X-Api-Key, Accept, Accept-Encoding'

/** Of every response. */
export const SECURITY_HEAD = [
  'X-Content-Type-Options',
  'nosniff',
  // why: a request in CORS mode is not subject to it
  'Cross-Origin-Resource-Policy',
  'same-origin',
]

/** Of every response of the API that is no problem. */
export const API_HEAD = ['Vary', VARY]

/** @see https://www.rfc-editor.org/rfc/rfc8631 */
export const LINK_HEAD = ['Link', `<${PREFIX}/openapi.json>; rel="service-desc"`]

/** Headers of a report or metrics that are equal for all clients. */
export function representationHead(
  contentLocation: string,
  dataAsOf: Instant | undefined,
  etag: string,
  coding: Coding,
  hasRanges = true,
): string[] {
  const list = [...API_HEAD, 'Content-Location', contentLocation]
  list.push('Cache-Control', 'private, no-cache', 'ETag', etag)
  if (hasRanges) list.push('Accept-Ranges', 'bytes')
  if (coding !== 'identity') list.push('Content-Encoding', coding)
  if (dataAsOf !== undefined) list.push('Data-As-Of', dataAsOf)
  return list
}

/** @param cacheMs undefined for a path without a cache @see https://www.w3.org/TR/server-timing/ */
export function serverTiming(authMs: Milliseconds, cacheMs?: Milliseconds): string {
  const cache = cacheMs === undefined ? '' : `, cache;dur=${tenths(cacheMs)}`
  return `auth;dur=${tenths(authMs)}${cache}`
}

function tenths(durationMs: Milliseconds): string {
  // why: toFixed costs as much as all other headers together
  const rounded = Math.round(durationMs * 10)
  return `${Math.floor(rounded / 10)}.${rounded % 10}`
}

/** @see https://www.rfc-editor.org/rfc/rfc9211 */
export function cacheStatus({ outcome, forwarded, stored, ttlSeconds }: CacheMetadata): string {
  if (outcome === 'hit' || outcome === 'stale')
    return `svodka; hit; ttl=${ttlSeconds}${outcome === 'stale' ? '; detail=stale' : ''}`
  const collapsed = outcome === 'collapsed' ? '; collapsed' : ''
  return `svodka; fwd=${forwarded ?? 'miss'}${stored ? '; stored' : ''}${collapsed}`
}

const BY_COST: readonly CacheOutcome[] = ['hit', 'collapsed', 'miss', 'stale']

/**
 * For a response combined from several values: the most expensive outcome, the highest age, the lowest TTL. Undefined
 * for one without values.
 */
export function mergeMetadata(all: readonly CacheMetadata[]): CacheMetadata | undefined {
  if (all.length <= 1) return all[0]
  const forwarded = all.filter(metadata => metadata.forwarded !== undefined)
  const outcomes = new Set(all.map(({ outcome }) => outcome))
  return {
    outcome: BY_COST.findLast(one => outcomes.has(one))!,
    forwarded: forwarded[0]?.forwarded,
    stored: forwarded.every(({ stored }) => stored),
    ageSeconds: Math.max(...all.map(({ ageSeconds }) => ageSeconds)),
    ttlSeconds: Math.min(...all.map(({ ttlSeconds }) => ttlSeconds)),
  }
}
