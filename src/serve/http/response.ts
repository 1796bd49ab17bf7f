/** A response as a value, which routes return and the fast path sends again, and its headers: Node's flat list. */
import contentDisposition from 'content-disposition'
import type { Cached, CacheMetadata } from '../cache/entry.ts'
import type { Coding } from '../report/body.ts'
import type { Body } from '../report/encode.ts'
import type { ChoiceList } from '../report/load-choices.ts'
import type { MetricValues } from '../report/load-metrics.ts'
import type { SpoolFile } from '../report/spool.ts'
import {
  PREFIX,
  type ReportFormat,
  type CacheOutcome,
  type Instant,
  type Milliseconds,
  type IsoDate,
} from '../../model/terms.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import type { Product } from '../../definitions/product.ts'
import { onceFor, type Format } from '../formats/format.ts'
import { JSON_FORMAT } from '../formats/json/json.ts'
import { cutText } from '../../model/cut-text.ts'
import { problemFields, PROBLEMS, type Problem } from '../../model/errors.ts'
import { jsonText } from '../formats/json/json-field.ts'
import type { Request } from './request.ts'

export interface Response {
  readonly contentType: string
  /** Alternating names and values, which 304 has as well. They do not depend on the request's time or origin. */
  readonly head: readonly string[]
  /** Strong; undefined if a client cannot validate the response. */
  readonly etag?: string
  readonly body: Buffer | SpoolFile
  /** How `body` is sent. */
  readonly coding?: Coding
  /** Set if it is made from cached values. */
  readonly metadata?: CacheMetadata | undefined
  /** The cached values that it was made from. While they are fresh, it may be sent again. */
  readonly cached?: ReadonlyArray<Cached<Body | MetricValues | ChoiceList>>
  /** Found by the fast path. */
  readonly isShortcut?: true
  /** The format of a report. */
  readonly format?: ReportFormat
}

const VARY = 'Authorization, X-Api-Key, Accept, Accept-Encoding'

/** Every response has these. */
export const SECURITY_HEAD = [
  'X-Content-Type-Options',
  'nosniff',
  // why: a request in CORS mode is not subject to it
  'Cross-Origin-Resource-Policy',
  'same-origin',
]

/** Every response of the API that is no problem has these. */
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

/** What the responses of a report in a format have in common. */
export const reportHead = onceFor((definition: ReportDefinition, format: Format) => {
  const { code } = definition
  const name = format === JSON_FORMAT ? code : `${code}.${format.extension}`
  return {
    /** For `Content-Location`. */
    path: `${PREFIX}/reports/${name}`,
    lifecycle: lifecycle(definition),
    disposition: createDisposition(definition, format),
  }
})

/** `Deprecation` and `Sunset`. @see https://www.rfc-editor.org/rfc/rfc9745 and https://www.rfc-editor.org/rfc/rfc8594 */
function lifecycle({ deprecated }: ReportDefinition): string[] {
  if (deprecated === undefined) return []
  const { since, sunset } = deprecated
  const head = ['Deprecation', `@${Date.parse(since) / 1000}`]
  return sunset === undefined ? head : [...head, 'Sunset', new Date(sunset).toUTCString()]
}

/** Forbidden in file names on Windows. */
const FORBIDDEN = /[\\/:*?"<>|]/g

/** Characters of the selected values in a file name. */
const MAX_SELECTION = 80

/** No title has these texts. why: letters and digits only, since all else is encoded */
const [FROM, TO] = ['ZperiodZfromZ', 'ZperiodZtoZ'] as const

/**
 * The file name of a download: title and period, and for clients without UTF-8 the code:
 * `attachment; filename="profit_loss_2026-01-01_2026-12-31.csv"; filename*=UTF-8''...`. JSON is `inline`. Values other than
 * the defaults are a part of it: `operations-kind-income_2026-01-01_2026-12-31.csv`.
 * @see https://www.rfc-editor.org/rfc/rfc6266
 */
function createDisposition({ code, title }: ReportDefinition, { extension }: Format) {
  const textOf = (selection: string, values: string): string => {
    const name = `${title} ${FROM} — ${TO}${cutText(selection, MAX_SELECTION)}`
    const ascii = values.replaceAll(/[^\w.]+/g, '-').slice(0, MAX_SELECTION)
    return contentDisposition(`${name.replaceAll(FORBIDDEN, '-')}.${extension}`, {
      type: extension === JSON_FORMAT.extension ? 'inline' : 'attachment',
      fallback: `${code}${ascii}_${FROM}_${TO}.${extension}`,
    })
  }
  const plain = textOf('', '')
  return (from: IsoDate, to: IsoDate, values: string, selection: () => string = () => ''): string =>
    (values === '' ? plain : textOf(`, ${selection().replaceAll(': ', ' ')}`, values))
      .replaceAll(FROM, from)
      .replaceAll(TO, to)
}

const CHALLENGES = [
  'WWW-Authenticate',
  'Bearer realm="svodka"',
  'WWW-Authenticate',
  'Basic realm="svodka", charset="UTF-8"',
]

/** The headers, as alternating names and values, and the body of a problem. */
export function problemResponse(
  problem: Problem,
  language: string,
  product: Product,
  requestId: string,
) {
  const { code, retryAfterSeconds } = problem
  const head = ['Content-Type', 'application/problem+json; charset=utf-8']
  head.push('Vary', `${VARY}, Accept-Language`, 'Cache-Control', 'no-store')
  head.push('Content-Language', language)
  if (PROBLEMS[code].status === 401) head.push(...CHALLENGES)
  if (code === 'method_not_allowed') head.push('Allow', 'GET, HEAD')
  if (retryAfterSeconds !== undefined) head.push('Retry-After', String(retryAfterSeconds))
  return { head, text: `${jsonText(problemFields(problem, language, product, requestId))}\n` }
}

/** Headers that a script may read, besides those that it always may. */
const EXPOSED =
  'Accept-Ranges, Age, Cache-Status, Content-Disposition, Content-Location, Content-Range, Data-As-Of, Deprecation, ETag, Link, Retry-After, Sunset, X-Request-Id'
/** Headers that a script may send. */
const ALLOWED =
  'Authorization, X-Api-Key, X-Request-Id, Cache-Control, If-Match, If-None-Match, If-Range, Range'
const OF_PREFLIGHT = ['Access-Control-Allow-Headers', ALLOWED, 'Access-Control-Max-Age', '7200']

export type Cors = ReturnType<typeof createCors>

/** @param origins undefined without `CORS_ORIGINS` */
export function createCors(origins: readonly string[] | undefined) {
  const isAllowed = ({ headers: { origin }, path }: Request): boolean =>
    origin !== undefined && origins?.includes(origin) === true && path.startsWith(`${PREFIX}/`)

  /** The preflight of an allowed origin. */
  const isPreflight = (request: Request): boolean =>
    request.method === 'OPTIONS' &&
    request.headers.requestedMethod !== undefined &&
    isAllowed(request)

  return {
    isPreflight,
    /** Adds headers to those of any response. */
    addHead(head: string[], request: Request): void {
      if (origins === undefined) return
      head.push('Vary', 'Origin')
      if (!isAllowed(request)) return
      head.push('Access-Control-Allow-Origin', request.headers.origin!)
      head.push('Access-Control-Expose-Headers', EXPOSED)
      if (isPreflight(request)) head.push(...OF_PREFLIGHT)
    },
  }
}
