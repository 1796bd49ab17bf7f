/** What the words of a plain request came to mean, and the cached response for them: Koa's way learns, the fast path finds. */
import type { Aliases } from './aliases.ts'
import type { Cache, Cacheable, Cached } from '../cache/cache.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { Route } from '../../model/observation.ts'
import type { CachedReport, Representation } from '../body/representations.ts'
import type { Bytes, Instant, Milliseconds, Organization, ReportFormat } from '../../model/terms.ts'
import { cachedHead } from './cached-head.ts'
import type { CachedHead } from './cached-head.ts'
import type { CacheNews, RepresentationHead } from '../http/response-head.ts'
import { mergeNews } from '../http/response-head.ts'
import type { PlainRequest } from './plain-request.ts'
import { organizationOf } from '../http/active-requests.ts'
import type { ApiContext } from '../http/active-requests.ts'

export interface CachedResponse {
  readonly meant: Meant
  readonly head: CachedHead
  readonly news: CacheNews
  readonly bytes: Buffer
  readonly etag: string
}

/** What Koa's way found a request to mean. */
export interface Meant extends Omit<RepresentationHead, 'coding'> {
  readonly route: Route
  readonly report: string | undefined
  readonly format: ReportFormat | undefined
  /** In the cache: one report, or files of metrics. */
  readonly keys: readonly string[]
  /** Of a report. @see representationName */
  readonly representation: string | undefined
  /** A response that was made of several: right as long as those are the same. */
  readonly assembled: Assembled | undefined
}

/** That, and the head that was made for it last. */
export interface Meaning {
  readonly meant: Meant
  head: CachedHead | undefined
  /** Of the body that the head is of. */
  headEtag: string | undefined
  headDataAsOf: Instant | undefined
}

interface Assembled {
  readonly bytes: Buffer
  readonly etag: string
  readonly dataAsOf: Instant | undefined
  /** What it was made of. */
  readonly of: readonly Cacheable[]
}

/**
 * Notes what a request meant that has just been answered, if the fast path took it first and each parameter of its
 * query is one of those that were read.
 */
export function learnMeaning(
  ctx: ApiContext,
  aliases: Aliases<Meaning>,
  { readParameters, ...meant }: Meant & { readonly readParameters: readonly string[] },
): void {
  const { plain, catalog, startedAt } = ctx.state
  if (plain === undefined) return
  if (!isReadWhole(ctx, plain.target, readParameters)) return
  const organization = organizationOf(ctx)
  const meaning = { meant, head: undefined, headEtag: undefined, headDataAsOf: undefined }
  aliases.learn({ plain, organization, catalog }, meaning, startedAt, byteCountOf(meant))
}

/** why: words outlive a request, and what is ignored may be anything: a key, `?auth=Bearer%20...` */
function isReadWhole(ctx: ApiContext, target: string, readParameters: readonly string[]): boolean {
  if (target.includes('#')) return false
  return Object.keys(ctx.query).every(name => readParameters.includes(name))
}

/** Of a head's text and list, beside what an alias counts. */
const HEAD_BYTES = 1024

function byteCountOf({ contentLocation, disposition, keys, assembled }: Meant): Bytes {
  const keyLength = keys.reduce((sum, key) => sum + key.length, 0)
  const held = assembled?.of.reduce((sum, { byteCount = 0 }) => sum + byteCount, 0) ?? 0
  const texts = contentLocation.length + (disposition?.length ?? 0)
  return HEAD_BYTES + texts + keyLength + (assembled?.bytes.length ?? 0) + held
}

/** The response that is cached and fresh for such words, if there is one. */
export function findCachedResponse(
  { cache, aliases }: { readonly cache: Cache; readonly aliases: Aliases<Meaning> },
  plain: PlainRequest,
  organization: Organization,
  catalog: Catalog,
  nowMs: Milliseconds,
): CachedResponse | undefined {
  const meaning = aliases.find({ plain, organization, catalog }, nowMs)
  if (meaning === undefined) return undefined
  const { meant } = meaning
  const cached = findCached(cache, meant, nowMs)
  if (cached === undefined) return undefined
  const { body, coding, dataAsOf, news } = cached
  const { etag } = body
  if (
    meaning.head === undefined ||
    meaning.headEtag !== etag ||
    meaning.headDataAsOf !== dataAsOf
  ) {
    meaning.head = cachedHead({ ...meant, coding, dataAsOf }, body)
    meaning.headEtag = etag
    meaning.headDataAsOf = dataAsOf
  }
  return { meant, head: meaning.head, news, bytes: body.bytes, etag }
}

interface Found {
  readonly body: Representation | Assembled
  readonly coding: Representation['coding']
  readonly dataAsOf: Instant | undefined
  readonly news: CacheNews
}

/** All that the fast path asks of the cache: a representation of the report, or what a response was made of. */
function findCached(
  cache: Cache,
  { keys, representation, assembled }: Meant,
  nowMs: Milliseconds,
): Found | undefined {
  if (assembled === undefined) {
    const hit = cache.hit<CachedReport>(keys[0]!, nowMs)
    const body = hit?.value.representations.get(representation!)
    return hit && body && { body, coding: body.coding, dataAsOf: hit.value.dataAsOf, news: hit }
  }
  const hits: Array<Cached<Cacheable>> = []
  for (const [at, key] of keys.entries()) {
    const hit = cache.hit<Cacheable>(key, nowMs)
    if (hit === undefined || hit.value !== assembled.of[at]) return undefined
    hits.push(hit)
  }
  const { dataAsOf } = assembled
  return { body: assembled, coding: 'identity', dataAsOf, news: mergeNews(hits) }
}
