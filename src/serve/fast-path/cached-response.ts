/** What the words of a plain request came to mean, and the cached response for them: Koa's way learns, the fast path finds. */
import type { Aliases } from './aliases.ts'
import type { CacheAnswer, Loaded } from '../cache/answers.ts'
import type { ReportCache } from '../cache/report-cache.ts'
import { endOfDay } from '../../definitions/calendar.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { Route } from '../../model/observation.ts'
import type { Body } from '../body/body.ts'
import type { CodedBody } from '../body/coded.ts'
import type { Bytes, Instant, Milliseconds, Organization, ReportFormat } from '../../model/terms.ts'
import { cachedHead } from './cached-head.ts'
import type { CachedHead } from './cached-head.ts'
import type { Representation } from '../http/answer-head.ts'
import { mergeNews } from '../http/cache-status.ts'
import type { CacheNews } from '../http/cache-status.ts'
import type { PlainRequest } from './plain-request.ts'
import { organizationOf } from '../http/request-state.ts'
import type { ApiContext } from '../http/request-state.ts'

export interface CachedResponse {
  readonly meant: Meant
  readonly head: CachedHead
  readonly news: CacheNews
  readonly bytes: Buffer
  readonly etag: string
}

/** What Koa's way found a request to mean. */
export interface Meant extends Omit<Representation, 'coding'> {
  readonly route: Route
  readonly report: string | undefined
  readonly format: ReportFormat | undefined
  /** Of the cache: the response itself, or those that it was made of. */
  readonly answers: ReadonlyArray<{ readonly key: string; readonly serial: number | undefined }>
  /** A response that was made of others: right as long as those are the same. */
  readonly assembled: Assembled | undefined
}

/** That, and the head that was made for it last. */
export interface Meaning {
  readonly meant: Meant
  head: CachedHead | undefined
  /** Of the answer that the head is of. */
  headSerial: number | undefined
}

interface Assembled {
  readonly bytes: Buffer
  readonly etag: string
  readonly dataAsOf: Instant | undefined
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
  // why: an answer that is not cached has no serial, and no words would ever find it
  const isCached = meant.answers.every(({ serial }) => serial !== undefined)
  if (plain === undefined || !isCached) return
  if (!isReadWhole(ctx, plain.target, readParameters)) return
  const organization = organizationOf(ctx)
  const until = endOfDay(startedAt, organization.timeZone)
  const meaning = { meant, head: undefined, headSerial: undefined }
  aliases.learn({ plain, organization, catalog }, meaning, until, byteCountOf(meant))
}

/** why: words outlive a request, and what is ignored may be anything: a key, `?auth=Bearer%20...` */
function isReadWhole(ctx: ApiContext, target: string, readParameters: readonly string[]): boolean {
  if (target.includes('#')) return false
  return Object.keys(ctx.query).every(name => readParameters.includes(name))
}

/** Of a head's text and list, beside what an alias counts. */
const HEAD_BYTES = 1024

function byteCountOf({ contentLocation, disposition, answers, assembled }: Meant): Bytes {
  const keys = answers.reduce((sum, { key }) => sum + key.length, 0)
  const texts = contentLocation.length + (disposition?.length ?? 0)
  return HEAD_BYTES + texts + keys + (assembled?.bytes.length ?? 0)
}

/** The response that is cached and fresh for such words, if there is one. */
export function findCachedResponse(
  { cache, aliases }: { readonly cache: ReportCache; readonly aliases: Aliases<Meaning> },
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
  const { body, news, serial } = cached
  if (meaning.head === undefined || meaning.headSerial !== serial) {
    const { coding = 'identity', dataAsOf } = body
    meaning.head = cachedHead({ ...meant, coding, dataAsOf }, body)
    meaning.headSerial = serial
  }
  return { meant, head: meaning.head, news, bytes: body.bytes, etag: body.etag }
}

interface Cached {
  readonly body: Assembled & Partial<Pick<CodedBody, 'coding'>>
  readonly news: CacheNews
  /** Undefined where the meaning itself has the bytes. */
  readonly serial: number | undefined
}

/** All that the fast path asks of the cache: the answer under the key, or those that a response was made of. */
function findCached(
  cache: ReportCache,
  { answers, assembled }: Meant,
  nowMs: Milliseconds,
): Cached | undefined {
  if (assembled === undefined) {
    const hit = cache.hit<Body & Partial<CodedBody>>(answers[0]!.key, nowMs)
    return hit && { body: hit.value, news: hit, serial: hit.serial }
  }
  const hits: Array<CacheAnswer<Loaded>> = []
  for (const { key, serial } of answers) {
    const hit = cache.hit<Loaded>(key, nowMs)
    if (hit === undefined || hit.serial !== serial) return undefined
    hits.push(hit)
  }
  return { body: assembled, news: mergeNews(hits), serial: undefined }
}
