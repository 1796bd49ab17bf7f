/** Finds cached responses for the fast path. Requests through Koa add the aliases that lead to them. */
import type { Aliases } from './aliases.ts'
import type { Cache, Cacheable, Cached } from '../../cache/cache.ts'
import type { Route } from '../../../model/observation.ts'
import type { Coding } from '../../report/gzip.ts'
import type { Body, Representation } from '../../report/body.ts'
import type {
  Bytes,
  Instant,
  Milliseconds,
  Organization,
  ReportFormat,
} from '../../../model/terms.ts'
import { cachedHead } from './cached-head.ts'
import type { CachedHead } from './cached-head.ts'
import type { CacheMetadata, RepresentationHead } from '../response-head.ts'
import { mergeMetadata } from '../response-head.ts'
import type { PlainRequest } from './plain-request.ts'
import { organizationOf } from '../active-requests.ts'
import type { ApiContext, RequestState } from '../active-requests.ts'
import type { Parameters } from '../read-parameters.ts'

export interface CachedResponse {
  readonly resolved: ResolvedRequest
  readonly head: CachedHead
  readonly metadata: CacheMetadata
  readonly bytes: Buffer
  readonly etag: string
}

/** What Koa's routes derived from a request. */
export interface ResolvedRequest extends Omit<RepresentationHead, 'coding'> {
  readonly route: Route
  readonly report: string | undefined
  readonly format: ReportFormat | undefined
  /** The cache key of a report, or one for each file of metrics. */
  readonly keys: readonly string[]
  /** Small bodies are not compressed. */
  readonly acceptedCoding: Coding
  /** A body combined from several cached values; valid while those are unchanged. */
  readonly combined: CombinedBody | undefined
}

/** A resolved request, and the head of its last response. */
export interface AliasTarget {
  readonly resolved: ResolvedRequest
  head: CachedHead | undefined
  /** ETag and `dataAsOf` that the head was created for. */
  headEtag: string | undefined
  headDataAsOf: Instant | undefined
}

interface CombinedBody extends Representation {
  readonly dataAsOf: Instant | undefined
  /** The cached values that it was combined from. */
  readonly of: readonly Cacheable[]
}

/**
 * Adds an alias for a request, if the fast path has parsed it and no query parameter was ignored.
 * why: aliases outlive a request, and an ignored parameter may contain a key: `?token=...`
 */
export function addAlias(
  ctx: ApiContext,
  aliases: Aliases<AliasTarget>,
  { hasIgnored }: Parameters,
  resolved: ResolvedRequest,
): void {
  const { plain, catalog, receivedAt } = ctx.state
  if (plain === undefined || hasIgnored || plain.target.includes('#')) return
  const organization = organizationOf(ctx)
  const target = { resolved, head: undefined, headEtag: undefined, headDataAsOf: undefined }
  aliases.add({ plain, organization, catalog }, target, receivedAt, byteCountOf(resolved))
}

/** Estimated size of a `CachedHead`. It is added to the other bytes of an alias. */
const HEAD_BYTES = 1024

function byteCountOf({ contentLocation, disposition, keys, combined }: ResolvedRequest): Bytes {
  const keyLength = keys.reduce((sum, key) => sum + key.length, 0)
  const cachedBytes = combined?.of.reduce((sum, { byteCount }) => sum + byteCount, 0) ?? 0
  const texts = contentLocation.length + (disposition?.length ?? 0)
  return HEAD_BYTES + texts + keyLength + (combined?.bytes.length ?? 0) + cachedBytes
}

/** The fresh cached response of a request; undefined if there is none. */
export function findCachedResponse(
  { cache, aliases }: { readonly cache: Cache; readonly aliases: Aliases<AliasTarget> },
  plain: PlainRequest,
  organization: Organization,
  { catalog, receivedAt }: Pick<RequestState, 'catalog' | 'receivedAt'>,
  nowMs: Milliseconds,
): CachedResponse | undefined {
  const target = aliases.find({ plain, organization, catalog }, receivedAt)
  if (target === undefined) return undefined
  const { resolved } = target
  const cached = findCached(cache, resolved, nowMs)
  if (cached === undefined) return undefined
  const { body, dataAsOf, metadata } = cached
  const { etag, coding } = body
  if (target.head === undefined || target.headEtag !== etag || target.headDataAsOf !== dataAsOf) {
    target.head = cachedHead({ ...resolved, coding, dataAsOf }, body)
    target.headEtag = etag
    target.headDataAsOf = dataAsOf
  }
  return { resolved, head: target.head, metadata, bytes: body.bytes, etag }
}

interface CachedBody {
  readonly body: Representation
  readonly dataAsOf: Instant | undefined
  readonly metadata: CacheMetadata
}

function findCached(
  cache: Cache,
  { keys, acceptedCoding, combined }: ResolvedRequest,
  nowMs: Milliseconds,
): CachedBody | undefined {
  if (combined === undefined) {
    const hit = cache.hit<Body>(keys[0]!, nowMs)
    // why: Koa sends files
    if (hit?.value.kind !== 'memory') return undefined
    const body = acceptedCoding === 'gzip' ? hit.value.gzip : hit.value
    return body && { body, dataAsOf: hit.value.dataAsOf, metadata: hit }
  }
  const hits: Array<Cached<Cacheable>> = []
  for (const [at, key] of keys.entries()) {
    const hit = cache.hit<Cacheable>(key, nowMs)
    if (hit === undefined || hit.value !== combined.of[at]) return undefined
    hits.push(hit)
  }
  const { dataAsOf } = combined
  return { body: combined, dataAsOf, metadata: mergeMetadata(hits) }
}
