/** Reports from the cache: several for one response, and two that are merged because `compare` compares their periods. */
import { isReport, type AnyDefinition } from '../../definitions/any-definition.ts'
import { comparedPeriods, type ComparisonKind } from '../../definitions/comparison-period.ts'
import { isComparable, MAX_COMPARED_ROWS } from '../../definitions/comparison.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import { Problem, PROBLEMS } from '../../model/errors.ts'
import type { RequestOrigin } from '../../model/observation.ts'
import { createStop, type Stop } from '../../model/stop.ts'
import type { Bytes, Instant, Seconds } from '../../model/terms.ts'
import type { Cache } from '../cache/cache.ts'
import type { Cacheable, Cached, CacheRequest } from '../cache/entry.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import type { MemoryBody } from '../report/body.ts'
import type { LoadReport } from '../report/load-report.ts'
import { mergeReports } from '../report/merge-reports.ts'
import { tooMuchBuffered, tooManyBytes, type OutgoingBodies } from '../report/outgoing-bodies.ts'
import { freshSecondsOf, keysOfOtherFormats, withPeriod } from '../report/report-request.ts'
import type { ReportRequest } from '../report/report-request.ts'
import { createTurns } from '../report/turns.ts'
import type { Exchange } from './active-requests.ts'
import type { Request } from './request.ts'
import { mergeMetadata } from './response.ts'

/** @see https://www.rfc-editor.org/rfc/rfc9111#name-request-directives */
const NO_CACHE = /(?:^|[\s,])no-cache(?:$|[\s,=])/i
const MAX_AGE = /(?:^|[\s,])max-age="?(\d+)/i

/** The oldest response that a client accepts; 0 for one that is newer than its request. */
function maxAgeOf(cacheControl = ''): Seconds {
  if (NO_CACHE.test(cacheControl)) return 0
  return Number(MAX_AGE.exec(cacheControl)?.[1] ?? Infinity)
}

export function cacheRequest(
  { headers, stop }: Request,
  report: ReportRequest,
  stopOfPart = stop,
): CacheRequest {
  const freshSeconds = freshSecondsOf(report)
  const maxAgeSeconds = maxAgeOf(headers.cacheControl)
  const otherKeys = (): string[] => keysOfOtherFormats(report)
  return { freshSeconds, maxAgeSeconds, otherKeys, stop: stopOfPart, ...report }
}

/** At the end of the request, the value is delivered with the response, or owed to a client that is sent away. */
export function settleAtEnd<V>({ endings }: Exchange, cached: Cached<V>): Cached<V> {
  const { entry, stored } = cached
  if (entry.isOwed || stored)
    endings.push(({ aborted, method, problem }) => {
      if (aborted || method === 'HEAD') return
      if (problem === undefined || PROBLEMS[problem].status === 503)
        entry.isOwed = problem !== undefined
    })
  return cached
}

/** The value of a report from the cache. @throws as `Cache.get` */
export async function readCache<R extends ReportRequest, V extends Cacheable>(
  cache: Cache,
  exchange: Exchange,
  report: R,
  load: (report: R, stop: Stop, origin: RequestOrigin) => Promise<V>,
  stop = exchange.request.stop,
): Promise<Cached<V>> {
  const { request } = exchange
  const loadIt = (stop: Stop): Promise<V> => load(report, stop, request.origin)
  return settleAtEnd(exchange, await cache.get(cacheRequest(request, report, stop), loadIt))
}

/** As well, of all parts of one response. If one fails, the others are stopped. */
export async function readTogether<R extends ReportRequest, V extends Cacheable>(
  cache: Cache,
  exchange: Exchange,
  parts: readonly R[],
  load: (report: R, stop: Stop, origin: RequestOrigin) => Promise<V>,
): Promise<Array<Cached<V>>> {
  const stop = createStop()
  exchange.request.stop.onStop(reason => stop.stop(reason))
  try {
    return await Promise.all(parts.map(part => readCache(cache, exchange, part, load, stop)))
  } catch (error) {
    stop.stop(new Error('another execution of the same request failed'))
    throw error
  }
}

/** Undefined if any instant is unknown. */
export function oldestOf([first, ...rest]: ReadonlyArray<Instant | undefined>):
  | Instant
  | undefined {
  return rest.reduce((a, b) => (a === undefined || (b !== undefined && a < b) ? a : b), first)
}

/** Of an unfinished period, for its days until today. @throws Problem `bad_request` if it cannot be compared */
export function withComparison<D extends AnyDefinition>(
  report: ReportRequest<D>,
  kind: ComparisonKind,
): ReportRequest<D> {
  const { definition, today } = report
  if (!isComparable(definition)) throw notComparable(definition)
  const { period, comparison } = comparedPeriods(report.period, kind, today)
  return { ...withPeriod(report, period), comparison: { ...comparison, kind } }
}

function notComparable(definition: AnyDefinition): Problem {
  if (isReport(definition))
    return new Problem('bad_request', {
      ru: `Отчёт ${definition.code} нельзя сравнить. Сравниваются отчёты не больше чем на ${MAX_COMPARED_ROWS} строк, с ключом и показателями, которые не зависят от сегодняшнего дня: в их схеме список compare не пуст.`,
      en: `The report ${definition.code} cannot be compared. Reports can be compared that have at most ${MAX_COMPARED_ROWS} rows, a key, and measures that do not depend on the current day: the list compare in their schema is not empty.`,
    })
  const codes = definition.metrics.map(({ code }) => code).join(', ')
  return new Problem('bad_request', {
    ru: `Показатели ${codes} нельзя сравнить: они зависят от сегодняшнего дня. Перечислите другие в codes.`,
    en: `The metrics ${codes} cannot be compared: they depend on the current day. List others in codes.`,
  })
}

/** why: a merge has the values of both bodies in memory: 40 to 50 MiB for two of 7 MB */
const mergeTurns = createTurns(1)
/** Of two bodies that are merged at once. why: large comparisons of other organizations would delay them */
const SMALL_BYTES: Bytes = 128 * 1024

/**
 * The merged body is cached by the tags of the two, whose age and freshness it has.
 * @throws Problem `overloaded` if too many bytes wait to be merged; `result_too_large` also if one of the two is too
 *   large to be cached
 */
export async function readCompared(
  exchange: Exchange,
  compared: ReportRequest<ReportDefinition>,
  cache: Cache,
  load: LoadReport,
  outgoingBodies: OutgoingBodies,
): Promise<Cached<MemoryBody>> {
  const { key, period, comparison } = compared
  const reports = [period, comparison!].map(one => withPeriod(compared, one, JSON_FORMAT))
  const parts = await readTogether(cache, exchange, reports, load)
  if (parts.some(({ value }) => value.kind === 'file')) throw tooManyBytes()
  const [ours, theirs] = parts.map(({ value }) => value) as [MemoryBody, MemoryBody]
  const dataAsOf = oldestOf([ours.dataAsOf, theirs.dataAsOf])
  const ofBoth = JSON.stringify([key, comparison!.kind, ours.etag, theirs.etag, dataAsOf])
  const merge = async (_: unknown, stop: Stop): Promise<MemoryBody> => {
    const bodies = [ours.bytes, theirs.bytes] as const
    const mergeThem = () => mergeReports(compared, ...bodies, dataAsOf, stop)
    if (ours.byteCount + theirs.byteCount <= SMALL_BYTES) return mergeThem()
    const { id } = compared.organization
    if (!bodies.every(bytes => outgoingBodies.fits(id, bytes))) throw tooMuchBuffered()
    const ends = bodies.map(bytes => outgoingBodies.begin(id, bytes))
    return mergeTurns.during(mergeThem, stop).finally(() => ends.forEach(end => end()))
  }
  const merged = await readCache(cache, exchange, { ...compared, key: ofBoth }, merge)
  return { ...merged, ...mergeMetadata(parts) }
}
