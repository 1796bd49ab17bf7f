/**
 * What the words of a plain request came to mean, and the answer that the cache keeps for them: the
 * ordinary way learns, the shortcut finds.
 */
import type { Aliases } from './aliases.ts'
import type { CacheAnswer, Loaded } from '../cache/answers.ts'
import type { ReportCache } from '../cache/report-cache.ts'
import { endOfDay } from '../../definitions/calendar.ts'
import type { Catalog } from '../../definitions/definition.ts'
import type { Route } from '../../model/observation.ts'
import type { Body } from '../body/body.ts'
import type { CodedBody } from '../body/coded.ts'
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
  /** What the cache keeps for it: the answer itself, or those that it was made of. */
  readonly answers: ReadonlyArray<{ readonly key: string; readonly serial: number | undefined }>
  /** An answer that was made of others: right as long as those are the same. */
  readonly assembled: Assembled | undefined
}

/** That, and the head that was made for it last. */
export interface Meaning extends Meant {
  head: KeptHead | undefined
  /** Of the answer that the head is of. */
  headSerial: number | undefined
}

interface Assembled {
  readonly bytes: Buffer
  readonly etag: string
  readonly dataAsOf: Instant | undefined
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
  const { plain, catalog, startedAt } = ctx.state
  // why: an answer that is not kept has no serial, and no words would ever find it
  const isKept = meant.answers.every(({ serial }) => serial !== undefined)
  if (plain === undefined || !isKept) return
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
    answers: meant.answers,
    assembled: meant.assembled,
    head: undefined,
    headSerial: undefined,
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

function byteCountOf({ contentLocation, disposition, answers, assembled }: Meant): Bytes {
  const keys = answers.reduce((sum, { key }) => sum + key.length, 0)
  const texts = contentLocation.length + (disposition?.length ?? 0)
  return HEAD_BYTES + texts + keys + (assembled?.bytes.length ?? 0)
}

/** The answer that is kept and fresh for such words, if there is one. */
export function findKept(
  { cache, aliases }: { readonly cache: ReportCache; readonly aliases: Aliases<Meaning> },
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

/** The answer under the key, whichever it is by now. */
function keptWhole(
  cache: ReportCache,
  meaning: Meaning,
  nowMs: Milliseconds,
): KeptAnswer | undefined {
  const news = cache.hit<Body & Partial<CodedBody>>(meaning.answers[0]!.key, nowMs)
  return news === undefined ? undefined : kept(meaning, news.value, news, news.serial)
}

function keptAssembled(
  cache: ReportCache,
  meaning: Meaning,
  assembled: Assembled,
  nowMs: Milliseconds,
): KeptAnswer | undefined {
  const hits: Array<CacheAnswer<Loaded>> = []
  for (const { key, serial } of meaning.answers) {
    const hit = cache.hit<Loaded>(key, nowMs)
    if (hit?.serial === undefined || hit.serial !== serial) return undefined
    hits.push(hit)
  }
  return kept(meaning, assembled, mergeNews(hits), undefined)
}

/** @param serial undefined where the meaning itself has the answer */
function kept(
  meaning: Meaning,
  { bytes, etag, dataAsOf, coding = 'identity' }: Assembled & Partial<CodedBody>,
  news: CacheNews,
  serial: number | undefined,
): KeptAnswer {
  const { route, report, format } = meaning
  if (meaning.head === undefined || meaning.headSerial !== serial) {
    const { contentType, contentLocation, disposition } = meaning
    const representation = { contentType, contentLocation, disposition, coding }
    meaning.head = keptHead({ ...representation, dataAsOf }, { bytes, etag })
    meaning.headSerial = serial
  }
  return { route, report, format, head: meaning.head, news, bytes, etag }
}

function wordingOf(plain: PlainRequest, organization: Organization, catalog: Catalog) {
  const { target, accept, acceptEncoding } = plain
  return { organization, catalog, target, accept, acceptEncoding }
}
