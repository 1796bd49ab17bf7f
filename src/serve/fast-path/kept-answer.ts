/**
 * What the words of a plain request came to mean, and the answer that the cache keeps for them: the
 * ordinary way learns, the shortcut finds.
 */
import type { Aliases } from './aliases.ts'
import type { Cache, Cacheable, Cached } from '../cache/cache.ts'
import { endOfDay } from '../../definitions/calendar.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { Route } from '../../model/observation.ts'
import type { CachedReport, Representation as SentBytes } from '../body/representations.ts'
import type { Bytes, Instant, Milliseconds, Organization, ReportFormat } from '../../model/terms.ts'
import { keptHead } from '../http/answer-head.ts'
import type { KeptHead, Representation } from '../http/answer-head.ts'
import { mergeNews } from '../http/cache-status.ts'
import type { CacheNews } from '../http/cache-status.ts'
import type { PlainRequest } from './plain-request.ts'
import { organizationOf } from '../http/request-state.ts'
import type { ApiContext } from '../http/request-state.ts'

export interface KeptAnswer {
  readonly route: Route
  readonly report: string | undefined
  readonly format: ReportFormat | undefined
  readonly head: KeptHead
  readonly news: CacheNews
  readonly bytes: Buffer
  readonly etag: string
}

/** What the ordinary way found a request to mean. */
export interface Meant
  extends Pick<KeptAnswer, 'route' | 'report' | 'format'>, Omit<Representation, 'coding'> {
  /** Of what the cache holds for it: one report, or files of metrics. */
  readonly keys: readonly string[]
  /** Of a report. @see representationName */
  readonly representation: string | undefined
  /** An answer that was made of others: right as long as those are the same. */
  readonly assembled: Assembled | undefined
}

/** That, and the head that was made for it last. */
export interface Meaning extends Meant {
  head: KeptHead | undefined
  /** What the head is of. */
  headOf: SentBytes | Assembled | undefined
}

interface Assembled {
  readonly bytes: Buffer
  readonly etag: string
  readonly dataAsOf: Instant | undefined
  /** What it was made of. */
  readonly of: readonly Cacheable[]
}

/**
 * Notes what a request meant that has just been answered, where the shortcut brought it, and where each parameter of
 * its query is one of those that were read.
 */
export function learnMeaning(
  ctx: ApiContext,
  aliases: Aliases<Meaning>,
  meant: Meant & { readonly readParameters: readonly string[] },
): void {
  const { lookedUp, catalog, startedAt } = ctx.state
  if (lookedUp === undefined) return
  const { plain } = lookedUp
  if (!isReadWhole(ctx, plain.target, meant.readParameters)) return
  const organization = organizationOf(ctx)
  const until = endOfDay(startedAt, organization.timeZone)
  const { route, report, format, contentType, contentLocation, disposition } = meant
  // why: objects of one shape, written out, are read several times as fast as copies of many
  const meaning: Meaning = {
    route,
    report,
    format,
    contentType,
    contentLocation,
    disposition,
    keys: meant.keys,
    representation: meant.representation,
    assembled: meant.assembled,
    head: undefined,
    headOf: undefined,
  }
  aliases.learn(wordingOf(plain, organization, catalog), meaning, until, byteCountOf(meant))
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
  const texts = contentLocation.length + (disposition?.length ?? 0)
  const held = assembled?.of.reduce((sum, { byteCount = 0 }) => sum + byteCount, 0) ?? 0
  return HEAD_BYTES + texts + keyLength + (assembled?.bytes.length ?? 0) + held
}

/** The answer that is kept and fresh for such words, if there is one. */
export function findKept(
  { cache, aliases }: { readonly cache: Cache; readonly aliases: Aliases<Meaning> },
  plain: PlainRequest,
  organization: Organization,
  catalog: Catalog,
  nowMs: Milliseconds,
): KeptAnswer | undefined {
  const wording = wordingOf(plain, organization, catalog)
  const meaning = aliases.find(wording, nowMs)
  if (meaning === undefined) return undefined
  return meaning.assembled === undefined
    ? keptWhole(cache, meaning, nowMs)
    : keptAssembled(cache, meaning, meaning.assembled, nowMs)
}

/** The report under the key, whichever it is by now. */
function keptWhole(cache: Cache, meaning: Meaning, nowMs: Milliseconds): KeptAnswer | undefined {
  const hit = cache.hit<CachedReport>(meaning.keys[0]!, nowMs)
  const found = hit?.value.representations.get(meaning.representation!)
  return found === undefined
    ? undefined
    : kept(meaning, found, found.coding, hit!.value.dataAsOf, hit!)
}

function keptAssembled(
  cache: Cache,
  meaning: Meaning,
  assembled: Assembled,
  nowMs: Milliseconds,
): KeptAnswer | undefined {
  const hits: Array<Cached<Cacheable>> = []
  for (const [at, key] of meaning.keys.entries()) {
    const hit = cache.hit<Cacheable>(key, nowMs)
    if (hit === undefined || hit.value !== assembled.of[at]) return undefined
    hits.push(hit)
  }
  return kept(meaning, assembled, 'identity', assembled.dataAsOf, mergeNews(hits))
}

function kept(
  meaning: Meaning,
  found: SentBytes | Assembled,
  coding: SentBytes['coding'],
  dataAsOf: Instant | undefined,
  news: CacheNews,
): KeptAnswer {
  const { route, report, format } = meaning
  const { bytes, etag } = found
  if (meaning.head === undefined || meaning.headOf !== found) {
    const { contentType, contentLocation, disposition } = meaning
    const representation = { contentType, contentLocation, disposition, coding }
    meaning.head = keptHead({ ...representation, dataAsOf }, found)
    meaning.headOf = found
  }
  return { route, report, format, head: meaning.head, news, bytes, etag }
}

function wordingOf(plain: PlainRequest, organization: Organization, catalog: Catalog) {
  const { target, accept, acceptEncoding } = plain
  return { organization, catalog, target, accept, acceptEncoding }
}
