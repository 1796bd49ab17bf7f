/**
 * What the words of a plain request came to mean, and the answer that the cache keeps for them: the
 * ordinary way learns, the shortcut finds.
 */
import type { Aliases } from '../cache/aliases.ts'
import type { CacheAnswer, Loaded, ReportCache } from '../cache/report-cache.ts'
import { endOfDay } from '../definitions/calendar.ts'
import type { Catalog } from '../definitions/definition.ts'
import type { Route } from '../observation.ts'
import type { Body } from '../reports/body.ts'
import type { Bytes, Instant, Milliseconds, Organization } from '../terms.ts'
import type { AnswerHead } from './answer-head.ts'
import { mergeNews } from './cache-status.ts'
import type { PlainRequest } from './plain-request.ts'
import { organizationOf } from './request-state.ts'
import type { ApiContext } from './request-state.ts'

export interface KeptAnswer {
  readonly route: Route
  readonly report: string | undefined
  readonly head: AnswerHead
  readonly bytes: Buffer
  readonly etag: string
}

export interface Meaning extends Pick<KeptAnswer, 'route' | 'report'> {
  readonly contentType: string
  readonly contentLocation: string
  /** What the cache keeps for it: the answer itself, or those that it was made of. */
  readonly answers: ReadonlyArray<{ readonly key: string; readonly serial: number | undefined }>
  /** An answer that was made of others: right as long as those are the same. */
  readonly assembled: Assembled | undefined
}

interface Assembled {
  readonly bytes: Buffer
  readonly etag: string
  readonly dataAsOf: Instant | undefined
}

/** Notes what a request meant that has just been answered, where the shortcut brought it. */
export function learnMeaning(ctx: ApiContext, aliases: Aliases<Meaning>, meaning: Meaning): void {
  const { handedDown, catalog } = ctx.state
  // why: an answer that is not kept has no serial, and no words would ever find it
  const isKept = meaning.answers.every(({ serial }) => serial !== undefined)
  if (handedDown === undefined || !isKept) return
  const { plain, startedAt } = handedDown
  const organization = organizationOf(ctx)
  const until = endOfDay(startedAt, organization.timeZone)
  aliases.learn(wordingOf(plain, organization, catalog), meaning, until, byteCountOf(meaning))
}

function byteCountOf({ contentLocation, answers, assembled }: Meaning): Bytes {
  const keys = answers.reduce((sum, { key }) => sum + key.length, 0)
  return contentLocation.length + keys + (assembled?.bytes.length ?? 0)
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
  { route, report, answers, contentType, contentLocation }: Meaning,
  nowMs: Milliseconds,
): KeptAnswer | undefined {
  const hit = cache.hit<Body>(answers[0]!.key, nowMs)
  if (hit === undefined) return undefined
  const { bytes, etag, dataAsOf } = hit.value
  const head = { contentType, contentLocation, dataAsOf, news: hit }
  return { route, report, head, bytes, etag }
}

function keptAssembled(
  cache: ReportCache,
  { route, report, answers, contentType, contentLocation }: Meaning,
  { bytes, etag, dataAsOf }: Assembled,
  nowMs: Milliseconds,
): KeptAnswer | undefined {
  const hits: Array<CacheAnswer<Loaded>> = []
  for (const { key, serial } of answers) {
    const hit = cache.hit<Loaded>(key, nowMs)
    if (hit?.serial === undefined || hit.serial !== serial) return undefined
    hits.push(hit)
  }
  const head = { contentType, contentLocation, dataAsOf, news: mergeNews(hits) }
  return { route, report, head, bytes, etag }
}

function wordingOf(plain: PlainRequest, organization: Organization, catalog: Catalog) {
  const { target, accept, acceptEncoding } = plain
  return { organization, catalog, target, accept, acceptEncoding }
}
